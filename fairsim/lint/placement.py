from fairsim.lint.rule import Family

FAMILY = Family()
