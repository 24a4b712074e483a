"""Databases and JSON files that are refused, and what is said about them."""
import csv
import gzip
import io
import json
import struct

from clinic import TABLE, Case, study, with_sql
from program import PROJECT

# Tables visits, longer (of 40 rows), people and archive.older; views joined (of the first two) and outside (which reads another file).
DATABASE = gzip.decompress((PROJECT / "src" / "interpole" / "data" / "testdata" / "clinic.duckdb.gz").read_bytes())
ROWS = [{key: cell or None for key, cell in row.items()} for row in csv.DictReader(io.StringIO(TABLE))]
ARRAY = json.dumps(ROWS)
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
OTHER_TABLE = study(source='[source]\ntables = ["rows"]\nmissing = ["NA"]\n')
NO_DATABASE = ("clinic.duckdb: not a DuckDB database", "write it again, or rename it")
DAMAGED = ("clinic.duckdb: the database is damaged or was cut off; copy it again",)
NOT_OBJECTS = ("must be an array of objects", "each object is a row")
NESTED = ("holds lists or objects, not values", "in source.sql")
UNREACHABLE = "is not a table of this study"


def database(*says, table=None, bytes_=DATABASE, **options):
    data = ("clinic.duckdb" + ("#" + table if table else ""),)
    return Case(says, file="clinic.duckdb", table=bytes_, data=data, **options)


def of_json(*says, text, file="visits.json", **options):
    return Case(says, file=file, table=text, **options)


def written_by_another_version():
    """The header says version 99, with the checksum that belongs to it."""
    header = bytearray(DATABASE[:4096])
    header[12:20] = struct.pack("<Q", 99)
    checksum = 5381
    for (word,) in struct.iter_unpack("<Q", header[8:]):
        checksum ^= word * 0xBF58476D1CE4E5B9 % 2**64
    return struct.pack("<Q", checksum) + bytes(header[8:]) + DATABASE[4096:]


DATABASES = {
    "database that is not": database(*NO_DATABASE, bytes_=TABLE * 200),
    "empty file as a database": database(*NO_DATABASE, bytes_=b""),
    "SQLite": database(*NO_DATABASE, bytes_=b"SQLite format 3\0" + bytes(8000)),
    "truncated database": database(*DAMAGED, bytes_=DATABASE[:20_000]),
    "damaged database": database(*DAMAGED, bytes_=DATABASE[:100] + b"x" + DATABASE[101:]),
    "database of another version": database("written by another version of DuckDB", "export the table as Parquet or CSV",
                                            bytes_=written_by_another_version()),
    "compressed database": Case(("visits.duckdb.gz: the kind of table is told by", ".duckdb"), file="visits.duckdb.gz",
                                table=gzip.compress(DATABASE)),
    "which of several tables": database("clinic.duckdb: the database holds 6 tables: ", '"visits"', '"archive.older"',
                                        "as in clinic.duckdb#joined", study=OTHER_TABLE),
    "unknown table of a database": database('the database has no table "visit"; did you mean "visits"?', table="visit"),
    "table of another schema": database('the database has no table "older"; its tables are', '"archive.older"', table="older"),
    "table without the columns": database('clinic.duckdb#people: there is no column "visit", which record.order',
                                          table="people"),
    "view that reads another file": database("/etc/hostname", "the SQL of a study reads the study's tables", table="outside"),
    "SQL that reads another table": database('source.sql: "people" ' + UNREACHABLE,
                                             study=with_sql("SELECT * FROM visits JOIN people USING (id)")),
    "SQL that names a schema": database('"older" ' + UNREACHABLE, study=with_sql("SELECT * FROM archive.older")),
    "SQL that writes to the database": database("must be one SELECT statement", study=with_sql("DROP TABLE visits")),
    "SQL that lists tables": database("duckdb_tables", study=with_sql("SELECT * FROM duckdb_tables()")),
    "column of lists": database('column "notes"', *NESTED, table="people", study=study(
        record='[record]\nid = "id"\norder = "sex"\nkind = "number"\n', action='[action]\ncolumn = "notes"\n')),
    "one of two tables not in the database": database(
        "the database holds 6 tables", study=study(source='[source]\ntables = ["visits", "sites"]\n'
                                                          'sql = "SELECT * FROM visits JOIN sites USING (id)"\n')),
}

JSON = {
    "empty JSON": of_json("the file is empty", "one for each row", text=""),
    "JSON of no rows": of_json("there are no rows; nothing to learn from", text="[]"),
    "JSON of numbers": of_json(*NOT_OBJECTS, text="[1, 2]"),
    "JSON of one text": of_json(*NOT_OBJECTS, text='"q"'),
    "CSV called JSON": of_json(*NOT_OBJECTS, text=TABLE),
    "JSON with one number among objects": of_json("not every element is an object", text=ARRAY[:-1] + ", 7]"),
    "JSON of empty objects": of_json("not every element is an object with keys", text="[{}]"),
    "JSON with a byte order mark": of_json("byte order mark", "save it as UTF-8 without one", text="\ufeff" + ARRAY),
    "JSON with a comma too many": of_json("record 6: not well-formed JSON", "correct the file", text=ARRAY[:-1] + ",]"),
    "JSON that ends too early": of_json("record 5: not well-formed JSON: unexpected end", text=ARRAY[:-3]),
    "JSON that is not UTF-8": of_json("record 2: not well-formed JSON: invalid UTF-8",
                                      text=ARRAY.encode().replace(b"small", b"sm\xe4ll")),
    "array called lines": of_json("must hold one object", "rename it", text=ARRAY, file="visits.jsonl"),
    "line that is broken": of_json("line 3: not well-formed JSON", text=LINES.replace('7.5"', "7.5", 1),
                                   file="visits.ndjson"),
    "line that is a number": of_json("not every element is an object", text=LINES + "7\n", file="visits.jsonl"),
    "key twice": of_json("record 1: a key is there twice", text=ARRAY.replace('"act"', '"id": "q71001", "act"', 1)),
    "keys that differ in case": of_json("two keys differ in case only", text=ARRAY.replace('"act"', '"ID": "q71001", "act"', 1)),
    "truncated gzip of JSON": of_json("the gzip file ends too early", file="visits.jsonl.gz",
                                      text=gzip.compress(LINES.encode(), mtime=0)[:-12]),
    "key that is not there": of_json('there is no column "size"', text=ARRAY.replace('"size"', '"volume"')),
    "nested value": of_json('column "act"', *NESTED, text=ARRAY.replace('"wait"', '{"name": "wait"}').replace('"scan"', "{}")),
    "wrong cell in JSON": of_json('row 2: column score: "four" is not a finite number', text=ARRAY.replace('"4"', '"four"')),
}

SOURCES = DATABASES | JSON
