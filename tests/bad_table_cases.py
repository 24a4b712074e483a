"""Tables that are refused, and what is said about them."""
import gzip

from clinic import HEADER, ROWS, TABLE, Case, dated, numbered, study, with_rest, with_sql
from program import PROJECT

PARQUET = (PROJECT / "src" / "interpole" / "data" / "testdata" / "visits.parquet").read_bytes()
TWO_TABLES = study(source='[source]\ntables = ["visits", "people"]\n'
                          'sql = "SELECT * FROM visits JOIN people USING (id)"\n')
QUOTE = ("a quoted cell does not end where it should", 'write "" for a quote inside')
UTF8 = ("not UTF-8 text", "save the file in UTF-8 encoding")
LONG = ("the line is longer than 2 MB", "look for a quote that is never closed")
NO_PARQUET = ("visits.parquet: not a readable Parquet file", "write it again, or rename it if it is CSV")
LEFT_OUT = "list it under source.missing to leave such rows out"
ONE_ROW = "keep one row for each visit"


def changed(says, old, new, **options):
    """The good table with one piece changed."""
    if old not in TABLE:
        raise ValueError(f"the table has no {old!r}")
    return Case(says, table=TABLE.replace(old, new, 1), **options)


def score(cell, shown=None):
    """A cell of a numeric factor, in the last row."""
    return changed((f'row 6: column score: "{shown or cell}" is not a finite number', "correct the cell",
                    "list it under missing"), "q71002,m06,scan,9,", f"q71002,m06,scan,{cell},")


def cells(found):
    return (f"line 5: {found} where the header names 5 columns", "give every row one cell per column")


def visits(says, *order, names=(), rule=numbered):
    rows = "".join(f"q71001,{visit},wait,1,\n" for visit in order)
    return Case(says, table=HEADER + rows, study=rule(), names=names)


def no_column(column, key, suggested, **options):
    return Case((f'there is no column "{column}", which {key} in study.toml names; {suggested}',), **options)


def renamed(old, new, key, suggested):
    return no_column(old, key, suggested, table=TABLE.replace(old, new, 1))


def none_left(rows, reason, **options):
    return Case((f'no record is left of {rows} rows; most ({rows}) went by "{reason}"', "study check shows all",
                 "correct the study"), nothing_left=True, **options)


FILES = {
    "empty file": Case(("the file is empty", "first line must name the columns"), table=""),
    "blank first line": Case(("line 1 is blank", "must name the columns"), table="\n" + TABLE),
    "header only": Case(("there are no rows", "nothing to learn from"), table=HEADER, nothing_left=True),
    "header without line end": Case(("there are no rows",), table=HEADER.strip(), nothing_left=True),
    "missing file": Case(("none.csv: cannot be read: No such file", "check the name"), data=("none.csv",)),
    "folder": Case(("folder.csv: is a folder; name a file in it",), data=("folder.csv",)),
    "unknown extension": Case(("visits.xlsx: the kind of table is told by", ".csv", ".parquet"), file="visits.xlsx"),
    "binary junk": Case(("line 1: a zero byte", "save the table as CSV"), table=bytes(range(256)) * 40),
    "junk below a header": Case(("not a well-formed CSV file; look for",),
                                table=HEADER.encode() + bytes(range(255, 0, -1)) * 40),
    "zero byte": Case(("line 2: a zero byte",), table=TABLE.replace("wait", "wa\0it", 1)),
    "UTF-16": Case(("line 1", *UTF8), table=TABLE.encode("utf-16")),
    "invalid UTF-8": Case(("line 3", *UTF8), table=TABLE.encode().replace(b"small", b"sm\xe4ll")),
    "invalid UTF-8 in the header": Case(("line 1", *UTF8), table=TABLE.encode().replace(b"act", b"\xe4ct")),
    "truncated gzip": Case(("visits.csv.gz: the gzip file ends too early", "copy it again"), file="visits.csv.gz",
                           table=gzip.compress(TABLE.encode(), mtime=0)[:-12]),
    "gzip that is not": Case(("visits.csv.gz: it is not a sound gzip file", "compress the table again"),
                             file="visits.csv.gz"),
    "Parquet that is not": Case(NO_PARQUET, file="visits.parquet"),
    "truncated Parquet": Case(NO_PARQUET, file="visits.parquet", table=PARQUET[:-9]),
    "empty Parquet": Case(NO_PARQUET, file="visits.parquet", table=b""),
    "JSON called CSV": Case(("line 1: column 2 has no name",), table='{"id": "q71001",\n "visit": "bl"}\n'),
    "no header": Case(('there is no column "id"', "the columns are"), names=("q71001",),
                      table="q71001,m06,scan,4,small\nq71001,m12,wait,7.5,\n"),
    "mixed delimiters": changed(cells("1 cell"), "q71002,bl,wait,2,", "q71002;bl;wait;2;"),
    "cell too few": changed(cells("4 cells"), "q71002,bl,wait,2,", "q71002,bl,wait,2"),
    "cell too many": changed(cells("6 cells"), "q71002,bl,wait,2,", "q71002,bl,wait,2,,x"),
    "unbalanced quote": changed(("line 5", *QUOTE), "q71002,bl,wait", 'q71002,bl,"wait'),
    "text behind a quote": changed(("line 5", *QUOTE), "q71002,bl,wait", 'q71002,bl,"wa"it'),
    "unbalanced quote in the header": changed(('line 1: the quote before "act,score,size" is not closed',), "act",
                                              '"act'),
    "cell of 10 MB": changed(("line 6", *LONG), "large", "large" * 2_000_000),
    "cell of 10 MB in quotes": changed(("line 6", *LONG), "large", '"' + "large" * 2_000_000 + '"'),
    "last line of 40 MB without an end": Case(("line 7", *LONG, "bytes that are not text", f"(offset {len(TABLE)})"),
                                              table=TABLE + "q71003,bl,wait," + "x" * 40_000_000),
    "zero bytes at the end": Case(("line 7: a zero byte", f"(offset {len(TABLE) + 15})"),
                                  table=TABLE + "q71003,bl,wait," + "\0" * 40_000_000),
    "zero byte in a packed table": Case(("a zero byte", f"(offset {len(TABLE) + 15} of the unpacked text)"),
                                        file="visits.csv.gz",
                                        table=gzip.compress((TABLE + "q71003,bl,wait,\0\n").encode(), mtime=0)),
    "zero byte in a column nobody asks for": Case(("line 2: a zero byte",), table="more," + HEADER + "".join(
        ("\0" if i == 0 else "m") + "," + row + "\n" for i, row in enumerate(ROWS.splitlines()))),
    "header of 10 MB": changed(("line 1", *LONG), "act", "act" * 3_500_000),
    "two kinds of line ends": changed(("look for line endings of two kinds",), "small\n", "small\r\n"),
    "column without a name": changed(("line 1: column 3 has no name",), "act", ""),
    "two columns of one name": changed(('line 1: two columns are called "score"; rename one',), "size", "score"),
    "stated delimiter is another": no_column("id", "record.id", 'the columns are "id,visit,act,score,size"',
                                             study=study(source=("missing", 'delimiter = ";"\nmissing'))),
    "unknown table": Case(('--data visit=visits.csv: the study has no table "visit"; did you mean "visits"?',),
                          data=("visit=visits.csv",), code=2),
    "one file twice for one table": Case(("visits.csv is given twice; name each part of a table once",),
                                    data=("visits.csv", "visits.csv"), code=2),
    "table given twice": Case(("visits.csv is given twice; name each part of a table once",),
                              data=("visits=visits.csv", "visits=visits.csv"), code=2),
    "one of two tables unnamed": Case(("say which one this is: --data people=visits.csv",), code=2,
                                      data=("visits=visits.csv", "visits.csv"), study=TWO_TABLES),
    "one of two tables without file": Case(('table "people" has no file; add --data people=FILE',), code=2,
                                           data=("visits=visits.csv",), study=TWO_TABLES),
    "table without file name": Case(('"visits=" names no file; write --data FILE',), data=("visits=",), code=2),
}

COLUMNS = {
    "no id column": renamed("id", "patient_id", "record.id", 'the columns are "patient_id", "visit"'),
    "no order column": renamed("visit", "VISIT", "record.order", 'did you mean "VISIT"?'),
    "no action column": renamed("act", "acts", "action.column", 'did you mean "acts"?'),
    "no factor column": renamed("size", "volume", "factors[1].column", "the columns are"),
    "no column of presence": no_column("scanner", "action.present", "the columns are", study=study(
        action='[action]\npresent = "scanner"\nif_present = "scan"\nif_absent = "wait"\n')),
    "no required column": no_column("scores", "filters.required", 'did you mean "score"?',
                                    study=with_rest('[filters]\nrequired = ["size", "scores"]\n')),
    "no group column": no_column("site", "group.column", 'did you mean "size"?',
                                 study=with_rest('[group]\ncolumn = "site"\n')),
    "no diagnosis column": no_column("DX", "labels.column", "the columns are", study=with_rest(
        '[labels]\ncolumn = "DX"\nvalues = { W = "well" }\n')),
    "no covariate column": Case(('study.toml: covariates[0].sql: Referenced column "AGE" not found',
                                 "the nearest columns are"),
                                study=with_rest('[[covariates]]\nname = "old"\nsql = "AGE::DOUBLE > 75"\n')),
    "covariate that cannot be computed": Case(
        ("study.toml: covariates[1].sql: Could not convert string 'small'", "correct the cell, or the SQL that converts it"),
        study=with_rest('[[covariates]]\nname = "a"\nsql = "score"\n[[covariates]]\nname = "b"\nsql = "size::DOUBLE > 1"\n'),
        fit=False),
    "no id in the result of SQL": no_column("id", "record.id", 'the columns are "visit", "act"',
                                            study=with_sql("SELECT visit, act, score, size FROM visits")),
}

CELLS = {
    "text in a numeric factor": score("nine"),
    "decimal comma": Case(('row 4: column score: "7,5" is not a finite number',),
                          table=TABLE.replace(",", ";").replace("7.5", "7,5")),
    "thousands": score('"1,250"', "1,250"),
    "1e400": score("1e400"),
    "nan": score("nan"),
    "infinity": score("inf"),
    "minus infinity": score("-Infinity"),
    "hexadecimal": score("0x1F"),
    "with its unit": score("9 mg"),
    "below detection": score("<0.5"),
    "unseen action": changed(('row 6: column act: "scam" is not an action of this study; did you mean "scan"?',),
                             "q71002,m06,scan", "q71002,m06,scam"),
    "action of another case": changed(('row 6: column act: "SCAN"', 'did you mean "scan"?'), "q71002,m06,scan",
                                      "q71002,m06,SCAN"),
    "no action": changed(("row 6: column act: the cell is empty", "filters.required"), "q71002,m06,scan",
                         "q71002,m06,"),
    "unseen category": changed(('row 6: column size: "huge" is not a value of factor "size"',
                                'the study knows "small", "large"'), "large", "huge"),
    "control characters": changed((r'"la\x1b[31mrge"',), "large", "la\x1b[31mrge"),
    "long cell": changed((f'"{"x" * 40}…"',), "large", "x" * 100_000),
    "visit twice": changed(('rows 5 and 6: patient "q71002" has visit "bl" twice', ONE_ROW), "q71002,m06",
                           "q71002,bl", names=("q71002",)),
    "number of visit is text": visits(('row 3: column visit: "two" is not a finite number', LEFT_OUT), "1", "two"),
    "number of visit is infinite": visits(('row 3: column visit: "1e999"', LEFT_OUT), "1", "1e999"),
    "same number in two ways": visits(('rows 2 and 3: patient "q71001" has visit "1" twice',), "1", "1.0",
                                      names=("q71001",)),
    "date that is none": visits(('row 3: column visit: "2024-02-31" is not a date', LEFT_OUT), "2024-01-31",
                                "2024-02-31", rule=dated),
    "date in words": visits(('row 3: column visit: "spring" is not a date',), "2024-01-31", "spring", rule=dated),
    "date of another country": visits(('"31.03.2024" is not a date',), "2024-01-31", "31.03.2024", rule=dated),
    "same date twice": visits(('patient "q71001" has visit "2024-01-31" twice', ONE_ROW), "2024-01-31",
                              "2024-01-31", rule=dated, names=("q71001",)),
    "goes on after the end": Case(
        ('patient "q71001", visit "m12": the patient goes on after "scan", which ends a record', "remove the row"),
        study=study(actions=('"scan"', '"scan"\nterminal = true'), size=""), names=("q71001",)),
    "condition on text": Case(("study.toml: filters.where: Cannot compare", "write AGE::DOUBLE"),
                              study=with_rest('[filters]\nwhere = "score > 5"\n')),
    "condition on what is no number": Case(("Could not convert string 'wait' to DOUBLE", "column act",
                                            "correct the cell, or the SQL"),
                                           study=with_rest('[filters]\nwhere = "act::DOUBLE > 5"\n')),
    "condition on a wild cell": changed(
        (r"Could not convert string '\x1b[31mxxx", "correct the cell"), "large", "\x1b[31m" + "x" * 100_000,
        study=with_rest('''[filters]\nwhere = "replace(size, 'small', '1')::DOUBLE > 5"\n''')),
    "bad cell in the result of SQL": Case(
        ('patient "q71002", visit "m06": column score: "nine" is not a finite number', "correct the cell"),
        table=TABLE.replace(",9,", ",nine,"), study=with_sql("SELECT * FROM visits"), names=("q71002",)),
    "visit twice in the result of SQL": Case(
        ('patient "q71001" has visit "bl" twice', ONE_ROW), names=("q71001",),
        study=with_sql("SELECT * FROM visits UNION ALL SELECT * FROM visits")),
}

NOTHING_LEFT = {
    "visit codes unknown everywhere": none_left(
        5, "other visit than the study's codes",
        table=TABLE.replace("bl", "v0").replace("m06", "v1").replace("m12", "v2")),
    "no baseline anywhere": none_left(
        5, 'record without first visit "bl"', table=TABLE.replace("bl", "m18"),
        study=study(record=('["bl", "m06", "m12"]', '["bl", "m06", "m12", "m18"]\nfirst = "bl"'))),
    "no id anywhere": none_left(5, "no id (record id)", table=TABLE.replace("q71001", "").replace("q71002", "NA")),
    "required column empty": none_left(5, "no size", table=TABLE.replace("small", "").replace("large", ""),
                                       study=with_rest('[filters]\nrequired = ["size"]\n')),
    "all too short": none_left(5, "record with fewer than 4 visits",
                               study=with_rest("[filters]\nminimum_visits = 4\n")),
    "condition never true": none_left(5, "not where the study wants it",
                                      study=with_rest('[filters]\nwhere = "score::DOUBLE > 100"\n')),
    "ambiguous endings": none_left(5, "record with an ambiguous ending",
                                   study=with_rest('[filters]\ndrop_if_last = "true"\n')),
    "SQL result that is empty": Case(("there are no rows",), nothing_left=True,
                                     study=with_sql("SELECT * FROM visits WHERE id = 'nobody'")),
}

TABLES = {**FILES, **COLUMNS, **CELLS, **NOTHING_LEFT}
