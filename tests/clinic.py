"""A small clinic: its table and the study that maps it. Cases change one piece of either."""
import dataclasses

# Patients are called q7…, so that a message that names one it should not is found out.
HEADER = "id,visit,act,score,size\n"
ROWS = """q71001,bl,wait,1,
q71001,m06,scan,4,small
q71001,m12,wait,7.5,
q71002,bl,wait,2,
q71002,m06,scan,9,large
"""
TABLE = HEADER + ROWS

SECTIONS = {
    "top": 'format = "interpole-study"\nversion = 1\nstates = ["well", "ill"]\n',
    "actions": '[[actions]]\nname = "wait"\n[[actions]]\nname = "scan"\n',
    "source": '[source]\ntables = ["visits"]\nmissing = ["NA", "-4"]\n',
    "record": '[record]\nid = "id"\norder = "visit"\ncodes = ["bl", "m06", "m12"]\n',
    "action": '[action]\ncolumn = "act"\n',
    "score": '[[factors]]\nname = "score"\ncolumn = "score"\nkind = "numeric"\nlevels = ["low", "high"]\n'
             'cuts = [5]\n',
    "size": '[[factors]]\nname = "size"\ncolumn = "size"\nkind = "categorical"\nlevels = ["small", "large"]\n'
            'yielded_by = ["scan"]\n',
    "rest": "",
}


def study(**changes):
    """The study's text. `section="text"` replaces a section; `section=("old", "new")` a piece of it."""
    sections = dict(SECTIONS)
    for name, change in changes.items():
        if isinstance(change, tuple):
            old, new = change
            if old not in sections[name]:
                raise ValueError(f"{name} has no {old!r}")
            sections[name] = sections[name].replace(old, new)
        else:
            sections[name] = change
    return "".join(sections.values())


def with_sql(sql):
    return study(source=SECTIONS["source"] + f"sql = '''{sql}'''\n")


def with_rest(text):
    return study(rest=text)


def numbered():
    return study(record='[record]\nid = "id"\norder = "visit"\nkind = "number"\n')


def dated():
    return study(record='[record]\nid = "id"\norder = "visit"\nkind = "date"\n')


@dataclasses.dataclass
class Case:
    """What is refused: the parts its message must have, the study and its file, and the exit code."""
    says: tuple
    table: object = TABLE
    study: object = dataclasses.field(default_factory=study)
    file: str = "visits.csv"
    data: tuple = ()  # values of --data; otherwise the file alone
    code: int = 3
    names: tuple = ()  # the patients the message may name
    fit: bool = True  # a fit is refused too; not where it does without what is wrong
    nothing_left: bool = False  # well-formed, but no record is kept: `study check` shows where all went
