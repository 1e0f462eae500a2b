"""The points that settle.py asks; grouped as in docs/hadoop-behaviour.md."""
from settle import GPU, SMALL, ask, failure, loads, of, queue, refusal, tag, tree, warnings

NODE = {"cluster": SMALL}
A = queue("a")


def placement(answer):
    def rule(r):
        return (r["class"].replace("PlacementRule", "") + ("+" if r.get("create") else "")
                + (f"={r['queue']}" if r.get("queue") else "")
                + (f"({rule(r['parent'])})" if "parent" in r else ""))
    return failure(answer) or " > ".join(rule(r) for r in answer["config"]["placement"])


def acl(name):
    def view(answer):
        reason = failure(answer)
        if reason:
            return reason
        lists = answer["config"]["acls"].get(name)
        if lists is None:
            return "no entry"
        return "; ".join(k + " " + ("EVERYONE" if v["all"] else f"{v['users']} {v['groups']}")
                         for k, v in sorted(lists.items()))
    return view


def configured(answer):
    reason = failure(answer)
    return reason or (f"file: leaf {answer['config']['leaf']} parent {answer['config']['parent']}"
                      f" -> made {[q['name'] for q in answer['queues'][1:]]}")


def messages(answer):
    text = tree()(answer)
    logged = [w["message"] for w in answer.get("warnings", []) + answer.get("later_warnings", [])]
    for reload in answer.get("reloads", []):
        logged += [w["message"] for w in reload["warnings"]]
    return text + " || " + " | ".join(logged)


# --- F1 the file itself ---------------------------------------------------------------------------
ask("F1 no file", None, tree("policy"))
ask("F1 absent absolute path", None, refusal,
    site={"yarn.scheduler.fair.allocation.file": "/nonexistent/fs.xml"})
ask("F1 scheme file:///", None, refusal,
    site={"yarn.scheduler.fair.allocation.file": "file:///nonexistent/fs.xml"})
ask("F1 scheme foo:///", None, refusal,
    site={"yarn.scheduler.fair.allocation.file": "foo:///nonexistent/fs.xml"})
ask("F1 empty file", "", loads, whole=True)

# --- F2 XML ---------------------------------------------------------------------------------------
for label, text in {
    "x:allocations": "<x:allocations/>",
    "x:allocations with xmlns:x": '<x:allocations xmlns:x="u"/>',
    "Allocations": "<Allocations/>",
    "default xmlns": '<allocations xmlns="urn:x"><queue name="a"/></allocations>',
    "DOCTYPE empty": "<!DOCTYPE allocations><allocations/>",
    "DOCTYPE internal entity": '<!DOCTYPE allocations [<!ENTITY w "3">]><allocations>'
        '<queue name="a"><weight>&w;</weight></queue></allocations>',
    "DOCTYPE missing external DTD":
        '<!DOCTYPE allocations SYSTEM "/nonexistent/a.dtd"><allocations/>',
    "DOCTYPE external entity": '<!DOCTYPE allocations [<!ENTITY w SYSTEM "/etc/hostname">]>'
        '<allocations><queue name="a"><weight>&w;</weight></queue></allocations>',
    "XML 1.1": '<?xml version="1.1"?><allocations/>',
    "BOM": "\ufeff<allocations/>",
    "blank before declaration": ' <?xml version="1.0"?><allocations/>',
    "duplicate attribute": '<allocations><queue name="a" name="b"/></allocations>',
    "junk after root": "<allocations/>x",
    "bare &": "<allocations><queue name='a&b'/></allocations>",
}.items():
    ask(f"F2 XML {label}", text, tree("weight"), whole=True)

# --- F3 text of a value element ---------------------------------------------------------------------
for label, text in {
    "2.0": "2.0", "empty": "", "comment only": "<!--c-->", "blank": " ",
    "comment before": "<!--c-->2.0", "comment between": "2<!--c-->.0", "comment after": "2.0<!--c-->",
    "CDATA": "<![CDATA[2.0]]>", "blank CDATA": " <![CDATA[2.0]]>", "2 CDATA .5": "2<![CDATA[.5]]>",
    "2<b>.0</b>": "2<b>.0</b>", "2<?pi?>.5": "2<?pi?>.5", "element first": "<b/>2",
    "PI first": "<?pi?>2", "char ref": "&#50;", "NBSP": "&#160;2", "newlines": "\n 2 \n",
}.items():
    ask(f"F3 weight text {label}", queue("a", tag("weight", text)), of("root.a", "weight"))

# --- F4 grammar -------------------------------------------------------------------------------------
for suffix in ("ueue", "eue", "ue", "e", "pool", "queue", "Queue", "q"):
    ask(f"F4 <{suffix}> inside a queue",
        queue("p", f'<{suffix} name="x"><weight>2</weight></{suffix}>'), tree())
    ask(f"F4 <{suffix}> at top", f'<{suffix} name="x"/>', tree())
ask("F4 unknown top element", "<foo/>", warnings)
ask("F4 unknown queue element", queue("a", "<foo/>"), warnings)
ask("F4 type=Parent", queue("a", kind=' type="Parent"'), tree())
ask("F4 type=parent", queue("a", kind=' type="parent"'), tree())
ask("F4 type=parent with child", queue("a", queue("b"), ' type="parent"'), tree())
ask("F4 user without name", "<user><maxRunningApps>3</maxRunningApps></user>",
    lambda a: failure(a) or str(a["config"]["user_max_apps"]))
ask("F4 user name untrimmed", "<user name=' u '><maxRunningApps>3</maxRunningApps></user>",
    lambda a: failure(a) or str(a["config"]["user_max_apps"]))

# --- F5 numbers -------------------------------------------------------------------------------------
for text in ("+5", "-1", "1.0", "1e3", "0x10", "1_000", "1 000", "2147483648", "٣", "５"):
    ask(f"F5 int {text}", queue("a", tag("maxRunningApps", text)), of("root.a", "max_running_apps"))
for text in ("60", "-5", "60s", "1.5", "9223372036854775807", "9223372036854776", "+7", "٣"):
    ask(f"F5 long {text}", queue("a", tag("minSharePreemptionTimeout", text)),
        of("root.a", "min_share_preemption_timeout_ms"))
for text in ("1.", ".5", "1e3", "2f", "2D", "0x1p3", "NaN", "Infinity", "-Infinity", "nan", "inf",
             "1,5", "50%", "1L", "0x10", "1_0", "1e999", "1e-999", "-3", "0", "16777217", ".3"):
    ask(f"F5 weight {text}", queue("a", tag("weight", text)), of("root.a", "weight"))
for text in ("NaN", "-1", "-0.99995", "-2", "0", "2", "Infinity", "1e39", ".1"):
    ask(f"F5 maxAMShare {text}", queue("a", tag("maxAMShare", text)), of("root.a", "max_am_share"))
    ask(f"F5 threshold {text}", queue("a", tag("fairSharePreemptionThreshold", text)),
        of("root.a", "fair_share_preemption_threshold"), since=(2, 6))
for text in ("true", "TRUE", "false", "yes", "1", "on"):
    ask(f"F5 allowPreemptionFrom {text}", queue("a", tag("allowPreemptionFrom", text)),
        of("root.a", "preemptable"), since=(2, 9))

# --- F6 duplicates ----------------------------------------------------------------------------------
ask("F6 weight twice", queue("a", tag("weight", "2") + tag("weight", "3")), of("root.a", "weight"))
ask("F6 queue twice", queue("a", tag("weight", "2") + tag("maxRunningApps", "4") + queue("b"))
    + queue("a", tag("weight", "3") + queue("c")), tree("weight", "max_running_apps"))
ask("F6 queue twice, ACLs", queue("a", tag("aclSubmitApps", "u1") + tag("aclAdministerApps", "u2"))
    + queue("a", tag("aclSubmitApps", "u3")), acl("root.a"))
ask("F6 queueMaxAppsDefault twice", tag("queueMaxAppsDefault", "3") + tag("queueMaxAppsDefault", "4")
    + A, of("root.a", "max_running_apps"))
ask("F6 legacy fairSharePreemptionTimeout twice", tag("fairSharePreemptionTimeout", "3")
    + tag("fairSharePreemptionTimeout", "4"), of("root", "fair_share_preemption_timeout_ms"))
ask("F6 user twice", "<user name='u'><maxRunningApps>3</maxRunningApps></user>"
    "<user name='u'><maxRunningApps>4</maxRunningApps></user>",
    lambda a: failure(a) or str(a["config"]["user_max_apps"]))
ask("F6 placement policy twice", "<queuePlacementPolicy><rule name='nonsense'/></queuePlacementPolicy>"
    "<queuePlacementPolicy><rule name='default'/></queuePlacementPolicy>", placement)

# --- F7 lazily parsed defaults ------------------------------------------------------------------------
ROOT_ALL = queue("root", tag("minSharePreemptionTimeout", "1") + tag("fairSharePreemptionTimeout", "2")
                 + tag("fairSharePreemptionThreshold", ".3"))
for element in ("defaultMinSharePreemptionTimeout", "defaultFairSharePreemptionTimeout",
                "defaultFairSharePreemptionThreshold", "fairSharePreemptionTimeout"):
    ask(f"F7 bad {element}, root sets its own", tag(element, "x") + ROOT_ALL, loads)
    ask(f"F7 bad {element}, root silent", tag(element, "x") + A, loads)
ask("F7 bad legacy timeout after default element",
    tag("defaultFairSharePreemptionTimeout", "5") + tag("fairSharePreemptionTimeout", "x"), loads)
ask("F7 bad legacy timeout before default element",
    tag("fairSharePreemptionTimeout", "x") + tag("defaultFairSharePreemptionTimeout", "5"), loads)
ask("F7 bad queueMaxAppsDefault", tag("queueMaxAppsDefault", "x"), loads)
ask("F7 empty userMaxAppsDefault", tag("userMaxAppsDefault", ""), loads)

# --- F8 resources: holes and oddities -------------------------------------------------------------------
def limit(text, element="maxResources", extra=""):
    return queue("a", tag(element, text) + extra) + queue("b")


for text in ("memory-mb=4096", "vcores=2", "memory-mb=4096,vcores=2", "vcores=2147483648",
             "yarn.io/gpu=3", "memory-mb=50%", "yarn.io/gpu=25%", "memory-mb=-1,vcores=2"):
    ask(f"F8 max {text}", limit(text), of("root.a", "max_configured", "max"), since=(3, 2),
        cluster={**SMALL, "yarn.io/gpu": 8}, resource_types=GPU)
    ask(f"F8 min {text}", limit(text, "minResources"), of("root.a", "min"), since=(3, 2),
        cluster={**SMALL, "yarn.io/gpu": 8}, resource_types=GPU)
for text in ("4096 mb, 4 vcores", "50%", "50% memory, 30% cpu"):
    ask(f"F8 max {text} with gpu", limit(text), of("root.a", "max_configured", "max"), since=(2, 10),
        cluster={**SMALL, "yarn.io/gpu": 8}, resource_types=GPU)
ask("F8 max memory-mb=4096, two types", limit("memory-mb=4096"),
    of("root.a", "max_configured", "max", "steady"), since=(3, 2), **NODE)
ask("F8 max memory-mb=4096, warnings", limit("memory-mb=4096"), messages, since=(3, 2), **NODE)
ask("F8 queueMaxResourcesDefault memory-mb=4096", tag("queueMaxResourcesDefault", "memory-mb=4096") + A,
    tree("max_configured", "max", "steady"), since=(3, 2), **NODE)
ask("F8 maxContainerAllocation memory-mb=4096", limit("memory-mb=4096", "maxContainerAllocation"),
    of("root.a", "max_container_allocation", "max_request"), since=(3, 2), **NODE)
ask("F8 maxContainerAllocation 50%", limit("50%", "maxContainerAllocation"),
    of("root.a", "max_container_allocation", "max_request"), since=(3, 2), **NODE)
ask("F8 maxContainerAllocation on root and parent", queue("root", tag("maxContainerAllocation",
    "5000 mb, 3 vcores") + queue("p", queue("c")) + queue("d", tag("maxContainerAllocation",
    "6000 mb, 2 vcores"))), tree("max_container_allocation", "max_request"), since=(3, 2), **NODE)
ask("F8 min 50%", limit("50%", "minResources"), of("root.a", "min"), since=(2, 9), **NODE)
ask("F8 min over max", limit("1000 mb, 1 vcores", extra=tag("minResources", "2000 mb, 3 vcores")),
    of("root.a", "min", "max", "steady"), **NODE)
ask("F8 min over max, warnings", limit("1000 mb, 1 vcores",
    extra=tag("minResources", "2000 mb, 3 vcores")), warnings, **NODE)
ask("F8 max 29% of 100 vcores", limit("29%"), of("root.a", "max"), since=(2, 9),
    cluster={"memory-mb": 1000, "vcores": 100})
ask("F8 max 50%, no node", limit("50%"), of("root.a", "max"), since=(2, 9))
ask("F8 max 150%", limit("150%"), of("root.a", "max"), since=(2, 9), **NODE)
ask("F8 queueMaxResourcesDefault on root and parents",
    tag("queueMaxResourcesDefault", "3000 mb, 3 vcores") + queue("p", queue("c")),
    tree("max", "steady"), since=(2, 8), **NODE)
ask("F8 2.8: max is min when only min given and default smaller",
    tag("queueMaxResourcesDefault", "3000 mb, 3 vcores")
    + queue("a", tag("minResources", "4000 mb, 1 vcores")), of("root.a", "min", "max"),
    since=(2, 8), **NODE)
ask("F8 queueMaxAppsDefault on root and parents", tag("queueMaxAppsDefault", "3") + queue("p", queue("c")),
    tree("max_running_apps"))
ask("F8 maxChildResources", queue("p", tag("maxChildResources", "2000 mb, 2 vcores") + queue("c"),
    ' type="parent"'), tree("max"), since=(2, 9), dynamic=["root.p.x"], **NODE)
ask("F8 maxChildResources of root and root.default",
    queue("root", tag("maxChildResources", "2000 mb, 2 vcores") + A), tree("max", "steady"),
    since=(2, 9), dynamic=["root.x"], **NODE)
ask("F8 maxChildResources of root, default in file",
    queue("root", tag("maxChildResources", "2000 mb, 2 vcores") + A + queue("default")),
    tree("max", "steady"), since=(2, 9), **NODE)

# --- F9 policies ----------------------------------------------------------------------------------------
def policy(name):
    return tag("schedulingPolicy", name)


P = ("policy",)
ask("F9 default fifo", tag("defaultQueueSchedulingPolicy", "fifo") + A, tree(*P))
ask("F9 default FIFO", tag("defaultQueueSchedulingPolicy", "FIFO") + A, tree(*P))
ask("F9 root fifo", queue("root", policy("fifo") + A), messages)
ask("F9 root fifo, tree", queue("root", policy("fifo") + A), tree(*P))
ask("F9 root fifo, then an ad hoc queue", queue("root", policy("fifo") + A), tree(*P), dynamic=["root.x"])
ask("F9 root drf", queue("root", policy("drf") + A), tree(*P))
ask("F9 drf under fair", queue("p", policy("fair") + queue("c", policy("drf")) + queue("d")), tree(*P))
ask("F9 drf under fair, log", queue("p", policy("fair") + queue("c", policy("drf"))), messages)
ask("F9 drf leaf under fair root", queue("c", policy("drf")) + A, tree(*P, "steady"), **NODE)
ask("F9 default drf", tag("defaultQueueSchedulingPolicy", "drf") + queue("p", queue("c")), tree(*P))
ask("F9 default drf, parent fair, child silent",
    tag("defaultQueueSchedulingPolicy", "drf") + queue("p", policy("fair") + queue("c")), tree(*P))
ask("F9 drf parent, silent child", queue("root", policy("drf") + queue("p", policy("drf") + queue("c"))),
    tree(*P))
ask("F9 fifo parent with child", queue("p", policy("fifo") + queue("c")), tree(*P))
ask("F9 fifo type=parent", queue("p", policy("fifo"), ' type="parent"') + A, tree(*P))
ask("F9 fifo leaf", queue("p", policy("fifo")), tree(*P))
ask("F9 name Fair", queue("p", policy("Fair")), tree(*P))
ask("F9 full class name", queue("p", policy("org.apache.hadoop.yarn.server.resourcemanager.scheduler"
    ".fair.policies.FifoPolicy")), tree(*P))
ask("F9 unknown policy", queue("p", policy("nonsense")), refusal)
ask("F9 class that is no policy", queue("p", policy("java.lang.String")), refusal)
ask("F9 reload to a forbidden policy", queue("p", queue("c")), tree(*P),
    reload=[f"<allocations>{queue('p', queue('c', policy('drf')))}</allocations>"])
ask("F9 reload: root drf, p fair, p.c drf", queue("p", queue("c")) + queue("a"), tree(*P),
    reload=["<allocations>" + queue("root", policy("drf") + queue("a", policy("drf"))
            + queue("p", policy("fair") + queue("c", policy("drf")))) + "</allocations>"])
MANY = "".join(map(queue, "abdefg"))
ask("F9 reload: root drf, one forbidden grandchild among many", MANY + queue("p", queue("c")), tree(*P),
    reload=["<allocations>" + queue("root", policy("drf") + "".join(queue(n, policy("drf")) for n in "abdefg")
            + queue("p", policy("fair") + queue("c", policy("drf")))) + "</allocations>"])
ask("F9 reload: root fifo", A, tree(*P),
    reload=["<allocations>" + queue("root", policy("fifo") + A) + "</allocations>"])
ask("F9 reload from drf to fair leaves vcores", tag("defaultQueueSchedulingPolicy", "drf") + A,
    tree(*P, "steady", "fair"), mode="shares", active=["root.a"], **NODE,
    reload=[f"<allocations>{A}</allocations>"])

# --- F10 ACLs -------------------------------------------------------------------------------------------
for text in ("alice,bob", "alice,bob dev,ops", " dev", "*", " *", "* ", "alice *", "* alice", " ",
             "*,alice", "alice, bob", "alice dev ops", "\n  alice,bob dev", "alice\n", "alice;bob",
             "alice,bob\tdev", "alice,\nbob", "\n*\n", "~alice", ""):
    ask(f"F10 acl {text!r}", queue("a", tag("aclSubmitApps", text)), acl("root.a"))
ask("F10 acls of root, nothing set", A, acl("root"))
ask("F10 acls of root, root named", queue("root", A), acl("root"))
ask("F10 acls of a, nothing set", A, acl("root.a"))
ask("F10 acls under ROOT", queue("ROOT", tag("aclSubmitApps", "bob") + A),
    lambda a: failure(a) or str(a["config"]["acls"]))

# --- F11 placement policy -------------------------------------------------------------------------------
def rules(text):
    return f"<queuePlacementPolicy>{text}</queuePlacementPolicy>"


for label, text in {
    "absent": None,
    "no child": "", "only a blank": " ", "only a comment": "<!--c-->", "other tag": "<foo name='default'/>",
    "Rule": "<Rule name='default'/>", "foo then default": "<foo name='specified'/><rule name='default'/>",
    "name missing": "<rule/>", "unknown": "<rule name='x'/>", "wrong case": "<rule name='Default'/>",
    "specified last": "<rule name='specified'/>", "user last": "<rule name='user'/>",
    "user create=false last": "<rule name='user' create='false'/>",
    "default not last": "<rule name='default'/><rule name='specified'/>",
    "default create=false last": "<rule name='default' create='false'/>",
    "default create=false not last": "<rule name='default' create='false'/><rule name='reject'/>",
    "default create=yes": "<rule name='default' create='yes'/>",
    "reject not last": "<rule name='reject'/><rule name='default'/>",
    "secondary last": "<rule name='secondaryGroupExistingQueue'/>",
    "nested last": "<rule name='nestedUserQueue'><rule name='default'/></rule>",
    "nested create=false last":
        "<rule name='nestedUserQueue' create='false'><rule name='default'/></rule>",
    "nested then default":
        "<rule name='nestedUserQueue'><rule name='default'/></rule><rule name='default'/>",
    "nested(primaryGroup create=false) then default": "<rule name='nestedUserQueue'>"
        "<rule name='primaryGroup' create='false'/></rule><rule name='default'/>",
    "nested(primaryGroup) then default": "<rule name='nestedUserQueue'>"
        "<rule name='primaryGroup'/></rule><rule name='default'/>",
    "nested without rule": "<rule name='nestedUserQueue'/><rule name='default'/>",
    "nested two rules": "<rule name='nestedUserQueue'><rule name='primaryGroup' create='false'/>"
        "<rule name='secondaryGroupExistingQueue'/></rule><rule name='default'/>",
    "nested(reject)": "<rule name='nestedUserQueue'><rule name='reject'/></rule><rule name='default'/>",
    "nested(nested)": "<rule name='nestedUserQueue'><rule name='nestedUserQueue'>"
        "<rule name='default'/></rule></rule><rule name='default'/>",
    "nested(user)": "<rule name='nestedUserQueue'><rule name='user'/></rule>",
    "user(primaryGroup create=false) then default":
        "<rule name='user'><rule name='primaryGroup' create='false'/></rule><rule name='default'/>",
    "user(primaryGroup)": "<rule name='user'><rule name='primaryGroup'/></rule>",
    "user(user)": "<rule name='user'><rule name='user'/></rule>",
    "specified(default)": "<rule name='specified'><rule name='default'/></rule><rule name='default'/>",
    "default(user)": "<rule name='default'><rule name='user'/></rule>",
    "default queue=q": "<rule name='default' queue='q'/>",
    "default queue=root": "<rule name='default' queue='root'/>",
    "default queue=' q '": "<rule name='default' queue=' q '/>",
    "default queue=.q": "<rule name='default' queue='.q'/>",
    "default queue=a..b": "<rule name='default' queue='a..b'/>",
}.items():
    ask(f"F11 placement {label}", A if text is None else rules(text), placement)
for undeclared in ("true", "false"):
    for user in ("true", "false"):
        ask(f"F11 no element, allow-undeclared-pools {undeclared}, user-as-default-queue {user}", A,
            placement, site={"yarn.scheduler.fair.allow-undeclared-pools": undeclared,
                             "yarn.scheduler.fair.user-as-default-queue": user})
ask("F11 reload with good rules and a bad default element", A,
    lambda a: tree()(a) + " || " + placement(a),
    reload=["<allocations>" + queue("new") + rules("<rule name='reject'/>")
            + tag("queueMaxAppsDefault", "x") + "</allocations>"])

# --- F12 reservations -----------------------------------------------------------------------------------
RES = "<reservation/>"
ask("F12 reservation leaf", queue("a", RES), tree("reservable"), since=(2, 7))
ask("F12 reservation leaf, configured sets", queue("a", RES), configured, since=(2, 7))
ask("F12 reservation false", queue("a", tag("reservation", "false")), tree("reservable"), since=(2, 7))
ask("F12 reservation with child", queue("a", RES + queue("b")), refusal, since=(2, 7))
ask("F12 reservation type=parent", queue("a", RES, ' type="parent"'), refusal, since=(2, 7))
ask("F12 reservation steady share", queue("a", RES) + queue("b"), tree("steady"), since=(2, 7), **NODE)
ask("F12 reservation fifo", queue("a", RES + policy("fifo")), tree(*P), since=(2, 7))

# --- F13 names ------------------------------------------------------------------------------------------
for label, text in {
    "' a '": " a ", "a.b": "a.b", "empty": "", "NBSP a": "\u00a0a", "U+180E a": "\u180ea",
    "U+0085 a": "\x85a", "U+1680 a": "\u1680a", "U+2007 a": "\u2007a", "U+202F a": "\u202fa",
    "U+205F a": "\u205fa", "U+FEFF a": "\ufeffa", "U+2060 a": "\u2060a", "U+200B a": "\u200ba",
    "U+3000 a": "\u3000a", "tab": "&#9;a", "newline": "&#10;a", "A b": "A b",
    "é/@": "é/@",
}.items():
    ask(f"F13 name {label}", f'<queue name="{text}"/>',
        lambda a: failure(a) or ascii([q["name"] for q in a["queues"]]))
ask("F13 name missing", "<queue/>", tree())
for name in ("root", "Root", "ROOT", " root "):
    ask(f"F13 top-level {name!r}", queue(name, tag("weight", "2") + tag("maxRunningApps", "7")
        + tag("fairSharePreemptionTimeout", "9") + queue("a", tag("weight", "3"))),
        tree("weight", "max_running_apps", "fair_share_preemption_timeout_ms"))
    ask(f"F13 top-level {name!r}, default elements", tag("defaultFairSharePreemptionTimeout", "4")
        + tag("defaultMinSharePreemptionTimeout", "5") + tag("defaultFairSharePreemptionThreshold", ".25")
        + queue(name, A), tree("fair_share_preemption_timeout_ms", "min_share_preemption_timeout_ms",
                               "fair_share_preemption_threshold"))
    ask(f"F13 top-level {name!r} beside another", queue(name, A) + queue("b"), refusal)
    ask(f"F13 top-level {name!r}, configured sets", queue(name, A), configured)
ask("F13 root in root", queue("root", queue("root", A)), tree())
ask("F13 default elements, root sets its own", tag("defaultFairSharePreemptionTimeout", "4")
    + queue("root", tag("fairSharePreemptionTimeout", "6") + A), tree("fair_share_preemption_timeout_ms"))

# --- F14 building the tree --------------------------------------------------------------------------------
CHILD_OF_DEFAULT = queue("default", queue("c")) + A
ask("F14 children under default, first load", CHILD_OF_DEFAULT, messages)
ask("F14 children under default, second load", CHILD_OF_DEFAULT, tree(),
    reload=[f"<allocations>{CHILD_OF_DEFAULT}</allocations>"])
ask("F14 default type=parent", queue("default", kind=' type="parent"') + A, tree())
ask("F14 leaf and parent: leaf then child", queue("a") + queue("a", queue("b")), messages)
ask("F14 leaf and parent: child then leaf", queue("a", queue("b")) + queue("a"), messages)
ask("F14 leaf and parent: with type=parent", queue("a") + queue("a", kind=' type="parent"'), messages)
ask("F14 leaf and parent, more children", queue("a") + queue("a", "".join(map(queue, "bcdefgh"))),
    configured)
ask("F14 reload leaf to parent", A, tree(), reload=[f"<allocations>{queue('a', queue('b'))}</allocations>"])
ask("F14 reload parent to leaf", queue("a", queue("b")), messages,
    reload=[f"<allocations>{A}</allocations>"])
ask("F14 reload parent to leaf, error", queue("a", queue("b")),
    lambda a: failure(a) or str([r.get("error", {}).get("root_class") for r in a["reloads"]])
    + " " + tree()(a), reload=[f"<allocations>{A}</allocations>"])
ask("F14 reload parent to leaf, twice", queue("a", queue("b")), tree("weight"),
    reload=[f"<allocations>{queue('a', tag('weight', '5'))}</allocations>"] * 2)
ask("F14 reload removes a queue", A + queue("b", tag("weight", "4")), tree("weight", "dynamic"),
    reload=[f"<allocations>{A}</allocations>"], since=(3, 2))
ask("F14 reload removes a queue (old)", A + queue("b", tag("weight", "4")), tree("weight"),
    reload=[f"<allocations>{A}</allocations>"])
ask("F14 reload with a broken file", A, tree("weight"),
    reload=[f"<allocations>{queue('a', tag('weight', 'x'))}{queue('n')}</allocations>"])
ask("F14 order of children", "".join(map(queue, ["zeta", "alpha", "Q1", "q10", "beta"]))
    + queue("par", kind=' type="parent"') + queue("x", queue("y")), tree())
ask("F14 order of 20 children", "".join(queue(f"q{i}") for i in range(20)), tree())
ask("F14 ad hoc a..b", A, tree(), dynamic=["root.a..b"])
ask("F14 ad hoc empty name", A, tree(), dynamic=["root."])
ask("F14 ad hoc ' x '", A, tree(), dynamic=["root. x "])

# --- F15 maxAMShare on a parent -----------------------------------------------------------------------------
ask("F15 maxAMShare on a parent", queue("p", tag("maxAMShare", ".3") + queue("c")), refusal)
ask("F15 maxAMShare on type=parent", queue("p", tag("maxAMShare", ".3"), ' type="parent"'), refusal)
ask("F15 maxAMShare on root", queue("root", tag("maxAMShare", ".3") + A), refusal)
ask("F15 maxAMShare on a reservation queue", queue("p", tag("maxAMShare", ".3") + RES), refusal,
    since=(2, 7))

# --- F16 weights out of range -------------------------------------------------------------------------------
for weight in ("NaN", "Infinity", "0", "-1", "1e38"):
    ask(f"F16 weight {weight} beside an unlimited queue", queue("a", tag("weight", weight)) + queue("b"),
        tree("steady"), **NODE)
    ask(f"F16 weight {weight} beside a capped queue", queue("root", queue("a", tag("weight", weight))
        + queue("b", tag("maxResources", "100 mb, 1 vcores"))
        + queue("default", tag("maxResources", "50 mb, 1 vcores"))), tree("steady"), **NODE)
    ask(f"F16 weight {weight} alone, default capped", queue("a", tag("weight", weight))
        + queue("default", tag("maxResources", "50 mb, 1 vcores")), tree("steady"), **NODE)

# --- F17 yarn-site --------------------------------------------------------------------------------------
FAIR = "yarn.scheduler.fair."
for name, value in {
    FAIR + "preemption": "yes", FAIR + "max.assign": "x", FAIR + "max.assign ": "0x10",
    FAIR + "update-interval-ms": "-1", FAIR + "locality.threshold.node": "x",
    FAIR + "preemption.cluster-utilization-threshold": "1,5", FAIR + "waitTimeBeforeKill": "1.5",
    "yarn.scheduler.minimum-allocation-mb": "0x400", "yarn.scheduler.minimum-allocation-mb ": "9000",
    "yarn.scheduler.minimum-allocation-mb  ": "-1", "yarn.scheduler.minimum-allocation-mb   ": " 512 ",
    "yarn.scheduler.maximum-allocation-vcores": "0", "yarn.scheduler.increment-allocation-mb": "0",
    "yarn.scheduler.increment-allocation-vcores": "-1",
    "yarn.resource-types.memory-mb.increment-allocation": "512",
    "yarn.resource-types.memory-mb.increment-allocation ": "512 Mi",
    "yarn.resource-types.memory-mb.increment-allocation  ": "512Mi",
    "yarn.resource-types.memory-mb.increment-allocation   ": "1 Gi",
    "yarn.resource-types.memory-mb.increment-allocation    ": "x",
    "yarn.resource-types.memory-mb.maximum-allocation": "5000",
}.items():
    ask(f"F17 {name.strip()}={value}", A, lambda a: refusal(a) + " " + of("root.a", "max_request")(a)
        + " " + warnings(a) if a.get("loaded") else refusal(a), site={name.strip(): value}, since=(2, 6))
for name, value in {"preemption.cluster-utilization-threshold": "1,5", "waitTimeBeforeKill": "1.5",
                    "waitTimeBeforeNextStarvationCheck": "x", "preemptionInterval": "x"}.items():
    ask(f"F17 preemption on, {name}={value}", A, refusal,
        site={FAIR + "preemption": "true", FAIR + name: value})
ask("F17 both increments", A, warnings, site={"yarn.scheduler.increment-allocation-mb": "256",
    "yarn.resource-types.memory-mb.increment-allocation": "512"}, since=(3, 1))
for names in ("1gpu", "memory", "memory-mb", "vcores", "a b", "yarn.io/gpu", "gpu_1-x.y"):
    ask(f"F17 resource type {names!r}", A, refusal, resource_types={names: {}}, since=(2, 10))

# --- S shares ---------------------------------------------------------------------------------------
DEFAULT_IDLE = ""  # up to 3.3 root.default is there by itself and idle
SHARE = ("steady", "fair")
W = "weight"


def q(name, weight="", inside="", most="", least="", pol="", kind=""):
    """A queue with the values that shares depend on."""
    return queue(name, (tag(W, weight) if weight else "") + (tag("minResources", least) if least else "")
                 + (tag("maxResources", most) if most else "")
                 + (tag("schedulingPolicy", pol) if pol else "") + inside, kind)


def shares(name, body, memory, vcores=0, active=(), view=None, **more):
    types = more.pop("types", {})
    ask(f"S {name}", body, view or tree(*SHARE), mode="shares", active=[f"root.{a}" for a in active],
        cluster={"memory-mb": memory, "vcores": vcores, **types},
        **({"resource_types": GPU} if types else {}), **more)


DRF = tag("defaultQueueSchedulingPolicy", "drf")
shares("E1", q("A", ".25") + q("B", ".75"), 8192, 8, "AB")
shares("E2b", DRF + q("A", "1") + q("B", "3"), 819200, 200, "AB")
shares("E3", q("A", least="6000 mb, 0 vcores") + q("B") + q("default"), 10000, 0, ["A", "B", "default"])
shares("E4", q("A", ".75", most="1024 mb, 1 vcores") + q("B", ".25", most="3072 mb, 3 vcores"), 8192, 8, "AB")
shares("E5", q("A", "0", least="1000 mb, 0 vcores") + q("B") + q("default", "0"), 10000, 0,
       ["A", "B", "default"])
shares("E5b", q("A", "0", least="12000 mb, 0 vcores") + q("B")
       + q("default", least="500 mb, 0 vcores"), 10000, 0, ["A", "B", "default"])
for name, order in {"A first": ["A", "default"], "B first": ["default", "A"]}.items():
    shares(f"E6 min 4000 max 2000, {name}", "".join(
        q(n, least="4000 mb, 0 vcores", most="2000 mb, 9 vcores") if n == "A" else q(n) for n in order),
        6000, 0, ["A", "default"])
shares("E7", q("A", least="6000 mb, 0 vcores") + q("B", least="5000 mb, 0 vcores") + q("default"), 8192, 0,
       ["A", "B", "default"])
shares("E7 weight 1e8", q("A", least="6000 mb, 0 vcores") + q("B", least="5000 mb, 0 vcores")
       + q("default", "1e8"), 8192, 0, ["A", "B", "default"])
E8 = DRF + q("pA", "8", "".join(q(f"A{i}") for i in (1, 2, 3, 4))) + q("pB", "1", q("B1") + q("B2")) \
    + q("default", "1")
shares("E8", E8, 16384, 10, ["pA.A1", "pA.A2", "pB.B1", "default"])
shares("E9", q("P", "", q("a", "1", least="2500 mb, 0 vcores") + q("b", "3"), most="3000 mb, 9 vcores")
       + q("default"), 10000, 0, ["P.a", "P.b", "default"])
shares("E10", q("P", "", q("a", "1", least="2500 mb, 0 vcores") + q("b", "3", least="1000 mb, 0 vcores"),
       most="3000 mb, 9 vcores") + q("default"), 10000, 0, ["P.a", "P.b", "default"])
GPUS = {"yarn.io/gpu": 10}
shares("E11", DRF + q("A", "1") + q("B", "2") + q("C", most="65536 mb, 16 vcores"), 1048576, 256, "ABC",
       types=GPUS, since=(2, 10))
shares("E11b", DRF + q("A", "1") + q("B", "2") + q("C", most="memory-mb=65536,vcores=16"), 1048576, 256,
       "ABC", types=GPUS, since=(3, 2))
shares("E11c", DRF + q("A", most="memory-mb=4096") + q("default"), 16384, 16, ["A", "default"], since=(3, 2))
shares("E12", DRF + q("A") + q("B") + q("default"), 10240, 10, ["A", "B", "default"])
shares("E12b", DRF + q("A") + q("default"), 1025, 1, ["A", "default"])
shares("E12c", DRF + "".join(map(q, "ABCDEF")) + q("default"), 100000, 5, [*"ABCDEF", "default"])
shares("E12d", DRF + q("A", "1") + q("B", "2") + q("default", "4"), 1000, 10, ["A", "B", "default"])
shares("E12e", DRF + q("A", ".1") + q("B", ".2") + q("default", ".7"), 1000, 10, ["A", "B", "default"])
shares("E13", q("A", "1") + q("default", "2"), 2**62, 0, ["A", "default"], since=(2, 8))
shares("E13b 2^53+3", q("default", most="memory-mb=9007199254740995,vcores=1"), 2**62, 0, ["default"],
       since=(3, 2))
shares("E13b 2^53+1", q("default", most="memory-mb=9007199254740993,vcores=1"), 2**62, 0, ["default"],
       since=(3, 2))
shares("E14", q("A", "1") + q("default", "2"), 10**9, 0, ["A", "default"])
shares("E14b", q("A", "1") + q("B", "1000") + q("default", "1000"), 100000003, 0, ["A", "B", "default"])
shares("E14c", q("A", ".3") + q("default", ".7"), 838860800, 0, ["A", "default"])
# default comes first in 2.x to 3.3 whatever the file says
shares("E15 capped default first, unlimited A", q("default", most="1000 mb, 1 vcores") + q("A"), 10000, 0,
       ["A", "default"])
shares("E15 unlimited default first, capped A", q("default") + q("A", most="1000 mb, 1 vcores"), 10000, 0,
       ["A", "default"])
shares("E15 3e9 MB, one queue", q("default"), 3 * 10**9, 0, ["default"], since=(2, 8))
for count in (2, 3):
    names = ["default", "A", "B"][:count]
    shares(f"E15 1572864000 MB, {count} equal", "".join(map(q, names)), 1572864000, 0, names)
shares("E16", DRF + q("A", "9", most="29%") + q("default"), 1000, 100, ["A", "default"], since=(2, 9))
shares("E17", queue("root", policy("drf") + q("P", pol="fair", inside=q("a") + q("b"))
       + q("default", pol="drf")), 10000, 10, ["P.a", "P.b", "default"])


def app_shares(answer):
    return failure(answer) or "; ".join(
        name + ": " + ", ".join("/".join(map(str, a["fair"].values())) for a in apps)
        for name, apps in answer["apps"].items())


ONLY = q("default")
shares("E18", ONLY, 8192, 8, view=app_shares, apps={"root.default": [{}, {}, {}]})
shares("E18b sizebasedweight", ONLY, 8192, 8, view=app_shares,
       apps={"root.default": [{"demand_mb": 1024}, {"demand_mb": 4096}, {}]},
       site={"yarn.scheduler.fair.sizebasedweight": "true"})
shares("E18c fifo", q("default", pol="fifo"), 8192, 8, view=app_shares,
       apps={"root.default": [{"start": 20}, {"start": 10}]})
shares("E18c fifo in drf", queue("root", policy("drf") + q("default", pol="fifo")), 8192, 8,
       view=app_shares, apps={"root.default": [{"start": 20}, {"start": 10}]})
for a in (".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9"):
    shares(f"E19 AM limit {a} of 1000 MB", queue("default", tag("maxAMShare", a)), 1000, 19,
           active=["default"], view=of("root.default", "fair", "am_limit"))
shares("E19 AM limit with gpu, drf", DRF + queue("default", tag("maxAMShare", ".3")), 1000, 19,
       active=["default"], view=of("root.default", "fair", "am_limit"), types=GPUS, since=(2, 10))
shares("E19 AM limit with gpu, fair", queue("default", tag("maxAMShare", ".3")), 1000, 19,
       active=["default"], view=of("root.default", "fair", "am_limit"), types=GPUS, since=(2, 10))
shares("E19 AM limit, max caps the fallback", queue("default", tag("maxAMShare", ".5")
       + tag("maxResources", "800 mb, 7 vcores")), 1000, 19, active=["default"],
       view=of("root.default", "fair", "am_limit"))
shares("E19 AM limit -1", queue("default", tag("maxAMShare", "-1")), 1000, 19, active=["default"],
       view=of("root.default", "am_limit"))
shares("E19 AM limit of an idle leaf", queue("default", tag("maxAMShare", ".5")), 1000, 19,
       view=of("root.default", "fair", "am_limit"))
shares("E20", q("A", ".3") + q("B", ".3") + q("default", ".3"), 1000, 0, ["A", "B", "default"])

shares("drf parent, fair child: gpu", queue("root", policy("drf") + q("P", pol="fair", inside=q("a"))
       + q("default", pol="drf")), 10000, 10, ["P.a", "default"], types=GPUS, since=(2, 10))
shares("maxRunningApps 0", queue("A", tag("maxRunningApps", "0")) + q("default"), 1000, 0,
       ["A", "default"])
shares("root maxRunningApps 1", queue("root", tag("maxRunningApps", "1") + q("A") + q("default")), 1000, 0,
       ["A", "default"])
shares("empty type=parent takes part", q("A", kind=' type="parent"') + q("default"), 1000, 0, ["default"])
shares("max 0", q("A", most="0 mb, 0 vcores", least="0 mb, 0 vcores") + q("default"), 1000, 0, ["A", "default"])
shares("demand", q("P", "", q("a") + q("b", most="500 mb, 5 vcores"), most="900 mb, 9 vcores") + q("default"),
       1000, 10, view=tree("demand"), apps={
           "root.P.a": [{"demand_mb": 600, "demand_vcores": 2, "containers": 2}],
           "root.P.b": [{"demand_mb": 400, "demand_vcores": 9}, {"demand_mb": 400}]})
shares("demand with gpu", DRF + q("P", "", q("a")) + q("default"), 1000, 10, view=tree("demand"),
       apps={"root.P.a": [{"demand": {"memory-mb": 10, "vcores": 1, "yarn.io/gpu": 2}}]}, types=GPUS,
       since=(2, 10))
shares("reload: ad hoc child under maxChildResources",
       q("p", "", tag("maxChildResources", "2000 mb, 2 vcores"), kind=' type="parent"') + q("default"),
       10000, 10, view=tree("max", "steady"), since=(2, 9), dynamic=["root.p.x"])
shares("reload: ad hoc child keeps maxChildResources",
       q("p", "", tag("maxChildResources", "2000 mb, 2 vcores"), kind=' type="parent"') + q("default"),
       10000, 10, view=tree("max", "steady"), since=(2, 9), dynamic=["root.p.x", "root.p.y"],
       reload=["<allocations>" + q("p", "", tag("maxChildResources", "2000 mb, 2 vcores"),
               kind=' type="parent"') + q("default") + "</allocations>"])
shares("no node", q("A"), 0, 0, "A", nodes=[])
