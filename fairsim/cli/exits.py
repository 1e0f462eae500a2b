"""Exit codes: the same for every command and every output format."""

from __future__ import annotations

#: Answered, and nothing objected to.
ANSWERED = 0
#: Answered, and the answer is no: findings, a rejected placement, a failed expectation, differences when asked for.
NO = 1
#: Not answered because of what was given: usage, a missing, unreadable or refused input, an output not writable.
NOT_ANSWERED = 2
#: A fault of fairsim.
BUG = 3
#: Interrupted from the keyboard (128 + SIGINT).
INTERRUPTED = 130
#: The reader of the output went away (128 + SIGPIPE).
CLOSED_PIPE = 141
