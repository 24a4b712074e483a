"""Studies that are refused, and what is said about them."""
from clinic import SECTIONS, Case, study, with_rest, with_sql

LIST = "expected a list, found the text"
TEXT = "expected a text in quotes, found"
ONE_SELECT = "study.toml: source.sql: must be one SELECT statement; the SQL of a study reads its tables"
ONE_EXPRESSION = "must be one expression, such as"
OUTSIDE = "may not be used in a study: SQL reads the study's tables and nothing else"
TOO_DEEP = "source.sql: the SQL is nested too deeply; simplify it"
BARE_SCORE = 'levels = ["low", "high"]\ncuts = [5]'


def added(section, line, *says):
    return Case(says, study=study(**{section: SECTIONS[section] + line + "\n"}))


def edited(section, old, new, *says):
    return Case(says, study=study(**{section: (old, new)}))


def ended(text, *says):
    return Case(says, study=with_rest(text + "\n"))


def unknown(path, meant):
    return f'{path}: unknown key; did you mean "{meant}"?'


def sql(text, *says):
    return Case(says, study=with_sql(text))


def where(text, *says):
    return Case(("study.toml: filters.where:", *says), study=with_rest(f"[filters]\nwhere = '''{text}'''\n"))


def labels(text, *says):
    return ended("[labels]\n" + text, *says)


def many_factors():
    """More joint outcomes than any memory holds."""
    levels = [f"l{j}" for j in range(10)]
    return "".join(f'[[factors]]\nname = "f{i}"\ncolumn = "size"\nkind = "categorical"\nlevels = {levels}\n'
                   for i in range(12))


NO_STUDY = {
    "empty study": Case(('format: the key is missing; write format = "interpole-study"',), study=""),
    "not TOML": Case(("study.toml:29:1", "correct the TOML syntax there"), study=study() + "=\n"),
    "binary study": Case(("study.toml:1:1", "correct the TOML syntax there"), study=bytes(range(256))),
    "table given as study": Case(("study.toml:1:3: ", "expected '='"), study="id,visit\nq71001,bl\n"),
    "study in Latin-1": Case(("study.toml:3:", "invalid utf-8"),
                             study=study(top=("ill", "k\u00e4lter")).encode("latin-1")),
    "other format": edited("top", "interpole-study", "interpole-model", "study.toml:1: format: not"),
    "version of the future": edited("top", "version = 1", "version = 99", "99 is newer", "update Interpole"),
    "key twice": edited("record", 'id = "id"', 'id = "id"\nid = "id"', "study.toml:13", "cannot redefine"),
}

UNKNOWN_KEYS = {
    "unknown key at the top": edited("top", "states", 'stats = ["a"]\nstates', "study.toml:3",
                                     unknown("stats", "states")),
    "unknown section": ended("[filter]\nminimum_visits = 2", unknown("filter", "filters")),
    "unknown key of actions": added("actions", "terminall = true", unknown("actions[1].terminall", "terminal")),
    "unknown key of source": added("source", 'mising = ["NA"]', "study.toml:11", unknown("source.mising", "missing")),
    "unknown key of record": added("record", "spaceing = 1", unknown("record.spaceing", "spacing")),
    "unknown key of action": added("action", 'value = { a = "wait" }', unknown("action.value", "values")),
    "unknown key of a factor": added("size", 'yieldedby = ["scan"]', unknown("factors[1].yieldedby", "yielded_by")),
    "unknown key of bins": edited("score", "cuts = [5]", "bins = { std = 0.5 }", unknown("factors[0].bins.std", "sd")),
    "unknown key of filters": ended("[filters]\nminimum_visit = 2",
                                    unknown("filters.minimum_visit", "minimum_visits")),
    "unknown key of a covariate": ended('[[covariates]]\nname = "a"\nsgl = "true"',
                                        unknown("covariates[0].sgl", "sql")),
    "unknown key of group": ended('[group]\ncolumns = "site"', unknown("group.columns", "column")),
    "unknown key of labels": labels('factr = "score"', unknown("labels.factr", "factor")),
}

WRONG_TYPES = {
    "states are a text": edited("top", '["well", "ill"]', '"well"', "study.toml:3: states", LIST),
    "tables is a text": edited("source", '["visits"]', '"visits"', "study.toml:9: source.tables", LIST),
    "sql is a number": added("source", "sql = 1", "source.sql", TEXT, "the number 1"),
    "delimiter of two characters": added("source", 'delimiter = ";;"', '";;" is not a delimiter; write one character'),
    "missing holds a number": edited("source", '"-4"', "-4", "source.missing[1]", TEXT, "the number -4"),
    "id is a list": edited("record", '"id"', '["id"]', "record.id", TEXT, "a list"),
    "codes hold a number": edited("record", '"m06"', "6", "record.codes[1]", TEXT),
    "spacing is a text": added("record", 'spacing = "1"', 'record.spacing: expected a number, found the text "1"'),
    "spacing is zero": added("record", "spacing = 0", "record.spacing: 0 must be above 0"),
    "tolerance is negative": added("record", "spacing = 1\ntolerance = -1", "tolerance: -1 must not be negative"),
    "gaps of another kind": added("record", 'spacing = 1\ngaps = "skip"', 'record.gaps: expected "cut"', '"skip"'),
    "first is no code": added("record", 'first = "baseline"', '"baseline" is not one of the codes; there are "bl"'),
    "order of another kind": edited("record", 'codes = ["bl", "m06", "m12"]', 'kind = "month"',
                                    'record.kind: expected "number" or "date", found the text "month"'),
    "action column is a number": edited("action", '"act"', "1", "action.column", TEXT),
    "action values are a list": added("action", 'values = ["wait"]', "action.values: expected a table, found a list"),
    "factor of another kind": edited("score", '"numeric"', '"number"', 'expected "numeric" or', '"number"'),
    "levels are a text": edited("size", '["small", "large"]', '"small"', "factors[1].levels", LIST),
    "cuts hold a text": edited("score", "[5]", '["5"]', 'factors[0].cuts[0]: expected a number, found the text "5"'),
    "cuts hold nan": edited("score", "[5]", "[nan]", "factors[0].cuts[0]: nan is not a finite number"),
    "upper of another kind": added("score", 'upper = "open"', 'factors[0].upper: expected "inclusive"', '"open"'),
    "sd is a text": edited("score", "cuts = [5]", 'bins = { sd = "half" }', "factors[0].bins.sd: expected a number"),
    "required is a text": ended('[filters]\nrequired = "score"', "filters.required", LIST),
    "minimum_visits is a fraction": ended("[filters]\nminimum_visits = 1.5", "expected a whole number", "1.5"),
    "minimum_visits is negative": ended("[filters]\nminimum_visits = -1", "-1 must be 1 or more"),
    "where is true": ended("[filters]\nwhere = true", "filters.where", TEXT, "true"),
    "covariates are no list": ended('[covariates]\nname = "a"', "covariates: expected a list, found a table"),
    "filters are a list": ended("[[filters]]\nminimum_visits = 2", "filters: expected a table, found a list"),
    "source is a text": Case(('source: expected a table, found the text "visits"',),
                             study='source = "visits"\n' + study(source="")),
    "factors are a table": Case(("factors: expected a list, found a table",),
                                study=study(score=("[[factors]]", "[factors]"), size="")),
}

CONTRADICTIONS = {
    "observations beside source": edited("top", "states", 'observations = ["a"]\nstates',
                                         "observations: follow from the factors", "remove the key"),
    "outcomes beside source": added("actions", 'outcomes = ["low"]', "actions[1].outcomes: follows from", "remove"),
    "record without source": Case(("record: belongs to a study that maps a table", "add [source]"),
                                  study=study(source="")),
    "no record": Case(("record: the key is missing; add [record]",), study=study(record="")),
    "no action": Case(("action: the key is missing; add [action]",), study=study(action="")),
    "no factors": Case(("factors: the key is missing; add a [[factors]] table",), study=study(score="", size="")),
    "no id": edited("record", 'id = "id"\n', "", "record.id: the key is missing; name the column"),
    "no order": edited("record", 'order = "visit"\n', "", "record.order: the key is missing; name the column"),
    "no codes": edited("record", 'codes = ["bl", "m06", "m12"]\n', "", "record.codes: the key is missing", "kind ="),
    "codes and kind": added("record", 'kind = "number"', "record.codes: stated beside kind; keep one of the two"),
    "cuts not ascending": edited("score", BARE_SCORE, 'levels = ["a", "b", "c"]\ncuts = [5, 2]',
                                 "factors[0].cuts[1]: 2 does not come after 5; sort the numbers"),
    "too few levels": edited("score", "[5]", "[5, 9]", "factors[0].levels: 2 levels for 3 bins; name as many"),
    "spread with two levels": edited("score", "cuts = [5]", "bins = { sd = 0.5 }", "2 levels for 3 bins"),
    "sd of zero": edited("score", "cuts = [5]", "bins = { sd = 0 }", "factors[0].bins.sd: 0 must be above 0"),
    "mean without spread": edited("score", "cuts = [5]", "bins = { sd = 0.5, mean = 4 }", "state both, or neither"),
    "quantile beyond 1": edited("score", "cuts = [5]", "bins = { quantiles = [1.5] }",
                                "bins.quantiles[0]: 1.5 is not between 0 and 1"),
    "quantile of 0": edited("score", "cuts = [5]", "bins = { quantiles = [0] }", "0 is not between 0 and 1"),
    "neither cuts nor bins": edited("score", "cuts = [5]\n", "", "factors[0].cuts: the key is missing", "bins ="),
    "cuts and bins": added("score", "bins = { quantiles = [0.5] }", "stated beside bins; keep one of the two"),
    "cuts of a categorical factor": added("size", "cuts = [5]", "factors[1].cuts: only a numeric factor has bins"),
    "yielded by an unknown action": edited("size", '["scan"]', '["scann"]', "factors[1].yielded_by[0]",
                                           '"scann" is not an action; did you mean "scan"?'),
    "yielded by every action": edited("size", '["scan"]', '["scan", "wait"]', "every action yields it; remove the key"),
    "otherwise is a level": added("size", 'otherwise = "small"', '"small" is also among the levels', "remove it"),
    "column and present": added("action", 'present = "size"\nif_present = "scan"\nif_absent = "wait"',
                                "action.column: stated beside present; keep one of the two"),
    "present without if_absent": Case(("action.if_absent: the key is missing; name the action",), study=study(
        action='[action]\npresent = "size"\nif_present = "scan"\n')),
    "values of an unknown action": added("action", 'values = { "1" = "scann" }', "action.values.1",
                                         '"scann" is not an action; did you mean "scan"?'),
    "values of an unknown level": added("size", 'values = { "1" = "smal" }', "factors[1].values.1",
                                        'did you mean "small"?'),
    "factor twice": edited("size", 'name = "size"', 'name = "score"', '"score" is there twice; rename one'),
    "level twice": edited("size", '"large"', '"small"', '"small" is listed twice; remove one'),
    "level with a bar": edited("size", '"large"', '"a | b"', '"a | b" contains " | "', "choose another name"),
    "table twice": edited("source", '["visits"]', '["visits", "Visits"]', '"Visits" is listed twice', "rename one"),
    "table with a blank": edited("source", '"visits"', '"my visits"', '"my visits" is not a name for a table'),
    "two tables without SQL": edited("source", '["visits"]', '["visits", "people"]', "must be joined by a SELECT"),
    "too many outcomes": Case(("3000000000000 observations make a model of 1.2e+13 numbers", "use fewer"),
                              study=study(score=many_factors())),
    "labels of two kinds": labels('factor = "score"\nlevel = "high"\ncolumn = "DX"\nvalues = { a = "well" }',
                                  "labels.factor: stated beside column; keep one of the two"),
    "labels of an unknown factor": labels('factor = "scor"\nlevel = "high"\norder = ["well", "ill"]',
                                          '"scor" is not a factor; did you mean "score"?'),
    "labels of an unknown level": labels('factor = "score"\nlevel = "hihg"\norder = ["well", "ill"]',
                                         '"hihg" is not a level of the factor; did you mean "high"?'),
    "labels of what is not measured": labels('factor = "size"\nlevel = "not ordered"\norder = ["well", "ill"]',
                                             "was not measured; name a level that was"),
    "order lacks a state": labels('factor = "score"\nlevel = "high"\norder = ["well"]',
                                  "labels.order: the list has 1 elements; it must have 2, each state once"),
    "order repeats a state": labels('factor = "score"\nlevel = "high"\norder = ["well", "well"]',
                                    'labels.order[1]: "well" is listed twice; list each state once'),
    "labels without order": labels('factor = "score"\nlevel = "high"', "labels.order: the key is missing; list"),
    "hint of an unknown state": labels('column = "act"\nvalues = { wait = "wel" }', 'did you mean "well"?'),
}

SQL = {
    "SQL with a mistake": sql("SELEC * FROM visits", 'source.sql: syntax error at or near "SELEC"; correct the SQL'),
    "SQL of nothing": sql(" ", "source.sql: the text is empty; fill it in"),
    "SQL of a comment": sql("-- later", ONE_SELECT),
    "two statements": sql("SELECT * FROM visits; SELECT 1", ONE_SELECT),
    "INSERT": sql("INSERT INTO visits VALUES (1)", ONE_SELECT),
    "COPY": sql("COPY visits TO 'out.csv'", ONE_SELECT),
    "SELECT then COPY": sql("SELECT * FROM visits; COPY visits TO 'out.csv'", ONE_SELECT),
    "ATTACH": sql("ATTACH 'out.db'", ONE_SELECT),
    "INSTALL": sql("INSTALL httpfs", ONE_SELECT),
    "LOAD": sql("LOAD httpfs", ONE_SELECT),
    "PRAGMA": sql("PRAGMA enable_profiling", ONE_SELECT),
    "SET": sql("SET enable_external_access = true", ONE_SELECT),
    "CREATE TABLE": sql("CREATE TABLE t AS SELECT * FROM visits", ONE_SELECT),
    "EXPORT": sql("EXPORT DATABASE 'out'", ONE_SELECT),
    "read_csv": sql("SELECT * FROM read_csv('visits.csv')", '"read_csv"', OUTSIDE, "--data name=FILE"),
    "read_text": sql("SELECT * FROM read_text('/etc/hostname')", '"read_text"', OUTSIDE),
    "glob": sql("SELECT * FROM glob('/*')", '"glob"', OUTSIDE),
    "address in read_parquet": sql("SELECT * FROM read_parquet('https://example.org/x.parquet')", OUTSIDE),
    "settings": sql("SELECT * FROM duckdb_settings()", OUTSIDE),
    "file as a table": sql("SELECT * FROM '/etc/hostname'", '"/etc/hostname" is not a table of this study'),
    "address as a table": sql("SELECT * FROM 'https://example.org/x.csv'", "is not a table of this study"),
    "unknown table in SQL": sql("SELECT * FROM visit", 'source.sql: "visit" is not a table', 'did you mean "visits"?'),
    "getenv": sql("SELECT *, getenv('HOME') AS home FROM visits", '"getenv" is not a function that a study may use'),
    "unknown column in SQL": sql("SELECT scores FROM visits", '"scores" not found', 'nearest columns are "score"'),
    "unknown function in SQL": sql("SELECT *, frob(score) AS f FROM visits", '"frob" is not a function that a study may use'),
    "very long SQL": sql("SELECT * FROM visits WHERE score = '1'" + " OR score = '1'" * 100_000, "larger than 1 MB"),
    "deep SQL": sql("SELECT * FROM visits WHERE " + "(" * 20_000 + "true" + ")" * 20_000, TOO_DEEP),
    "many NOTs": sql("SELECT * FROM visits WHERE " + "NOT " * 900 + "true", TOO_DEEP),
    "many more NOTs": sql("SELECT * FROM visits WHERE " + "NOT " * 1500 + "true", TOO_DEEP),
    "condition that breaks out": where("true) FROM visits WHERE (true", ONE_EXPRESSION),
    "condition with a second statement": where("true); COPY visits TO 'out.csv'; SELECT (true", ONE_EXPRESSION),
    "condition that reads a file": where("id IN (SELECT content FROM read_text('/etc/hostname'))", OUTSIDE),
    "condition with a mistake": where("id =", "syntax error", "correct the SQL"),
    "condition that is a text": where("act", "must be a condition, true or false for a row"),
    "condition with an aggregate": where("count(*) > 1", "aggregate function; correct the SQL"),
    "ending with a mistake": ended("[filters]\ndrop_if_last = '''act = '''", "filters.drop_if_last: syntax error"),
    "covariate with a mistake": ended('[[covariates]]\nname = "a"\nsql = "act ="', "covariates[0].sql: syntax error"),
    "covariate that reads a file": ended(
        '''[[covariates]]\nname = "a"\nsql = "(SELECT content FROM read_text('/etc/hostname'))"''', OUTSIDE),
}

STUDIES = {**NO_STUDY, **UNKNOWN_KEYS, **WRONG_TYPES, **CONTRADICTIONS, **SQL}
