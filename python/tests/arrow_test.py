"""Arrow's C stream, made by hand: read, and released exactly once, also after an error."""
import ctypes

import numpy as np

from case import STUDIES, PackageTest, interpole, main

from interpole import _engine
from interpole._tables import held


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", RELEASE_SCHEMA), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                  ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", RELEASE_ARRAY),
                  ("private_data", ctypes.c_void_p)]
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
WORDS = ctypes.create_string_buffer(b"the disk is on fire")
Stream._fields_ = [("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", LAST_ERROR),
                   ("release", RELEASE_STREAM), ("private_data", ctypes.c_void_p)]


def text_buffers(cells):
    data = "".join(cell or "" for cell in cells).encode()
    ends = np.cumsum([0, *(len((cell or "").encode()) for cell in cells)]).astype(np.int32)
    valid = np.packbits([cell is not None for cell in cells], bitorder="little")
    return [valid, ends, np.frombuffer(data or b"\0", dtype=np.uint8)]


class ByHand:
    """A table with __arrow_c_stream__: columns are (format, buffers, dictionary or None) for each batch."""

    def __init__(self, names, batches, fail_at=None, format_of_table=b"+s"):
        self.names, self.batches, self.fail_at = names, batches, fail_at
        self.format_of_table = format_of_table
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.kept = []
        self.next = 0

    def count(self, what, kind):
        def release(pointer):
            self.released[what] += 1
            pointer.contents.release = kind()
        function = kind(release)
        self.kept.append(function)
        return function

    def schema_of(self, format, name, release=None, children=()):
        schema = Schema(format=format, name=name, n_children=len(children), flags=2)
        if children:
            pointers = (ctypes.POINTER(Schema) * len(children))(*[ctypes.pointer(child) for child in children])
            schema.children = pointers
            self.kept.append(pointers)
        if release:
            schema.release = release
        self.kept.append((schema, children))
        return schema

    def array_of(self, length, buffers, nulls=0, dictionary=None):
        pointers = (ctypes.c_void_p * len(buffers))(*[None if buffer is None else buffer.ctypes.data for buffer in buffers])
        array = Array(length=length, null_count=nulls, n_buffers=len(buffers), buffers=pointers)
        if dictionary is not None:
            array.dictionary = ctypes.pointer(dictionary)
        self.kept.append((pointers, buffers, array, dictionary))
        return array

    def get_schema(self, _, out):
        children = []
        for name, (format, _, dictionary) in zip(self.names, self.batches[0][1]):
            child = self.schema_of(format, name.encode())
            if dictionary is not None:
                child.dictionary = ctypes.pointer(self.schema_of(b"u", b""))
            children.append(child)
        schema = self.schema_of(self.format_of_table, b"", self.count("schema", RELEASE_SCHEMA), children)
        ctypes.memmove(out, ctypes.byref(schema), ctypes.sizeof(Schema))
        return 0

    def get_next(self, _, out):
        if self.fail_at == self.next:
            return 5
        array = Array()
        if self.next < len(self.batches):
            length, columns = self.batches[self.next]
            children = []
            for _, buffers, dictionary in columns:
                words = None
                if dictionary is not None:
                    words = self.array_of(len(dictionary), text_buffers(dictionary))
                children.append(self.array_of(length, buffers, nulls=-1, dictionary=words))
            pointers = (ctypes.POINTER(Array) * len(children))(*[ctypes.pointer(child) for child in children])
            array = self.array_of(length, [None])
            array.n_children, array.children = len(children), pointers
            array.release = self.count("array", RELEASE_ARRAY)
            self.kept.append((children, pointers))
        self.next += 1
        ctypes.memmove(out, ctypes.byref(array), ctypes.sizeof(Array))
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        functions = (GET_SCHEMA(self.get_schema), GET_NEXT(self.get_next), LAST_ERROR(lambda _: ctypes.addressof(WORDS)))
        stream = Stream(*functions, self.count("stream", RELEASE_STREAM), None)
        self.kept += [functions, stream]
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return new(ctypes.addressof(stream), b"arrow_array_stream", None)


NAMES = ["patient", "step", "action", "observation"]


def visits(patients=(("p1", 3), ("p2", 2))):
    rows = []
    for patient, length in patients:
        rows += [(patient, step + 1, "monitor", "positive") for step in range(length - 1)]
        rows.append((patient, length, "declare-diseased", None))
    return rows


def batch(rows, actions=None):
    patients, steps, taken, seen = zip(*rows)
    words = ["declare-diseased", "monitor"] if actions is None else actions
    codes = np.array([words.index(action) for action in taken], dtype=np.int8)
    return len(rows), [(b"u", text_buffers(patients), None), (b"l", [None, np.array(steps, dtype=np.int64)], None),
                       (b"c", [None, codes], words), (b"u", text_buffers(seen), None)]


class Streams(PackageTest):
    def setUp(self):
        super().setUp()
        frame, _ = interpole.simulate("bias", patients=50, seed=1)
        self.model = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", restarts=1).fit(frame)

    def test_one_batch_and_several_are_the_same(self):
        rows = visits()
        expected = self.model.predict_proba({name: list(column) for name, column in zip(NAMES, zip(*rows))})
        for batches in ([batch(rows)], [batch(rows[:2]), batch(rows[2:], ["monitor", "declare-diseased"])]):
            stream = ByHand(NAMES, batches)
            np.testing.assert_array_equal(self.model.predict_proba(stream), expected)
            self.assertEqual(stream.released, {"schema": 1, "array": len(batches), "stream": 1})

    def test_columns_of_any_name_and_rows_that_are_not_numbered(self):
        rows = visits()
        length, columns = batch(rows)
        own = ByHand(["id", "done", "seen"], [(length, [columns[0], columns[2], columns[3]])])
        model = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", restarts=1)
        model.fit(own, record="id", action="done", observation="seen")
        plain = {name: list(column) for name, column in zip(NAMES, zip(*rows))}
        again = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", restarts=1).fit(plain)
        np.testing.assert_array_equal(model.beliefs().to_numpy(), again.beliefs().to_numpy())
        misnamed = ByHand(["id", "done", "seen"], [(length, [columns[0], columns[2], columns[3]])])
        with self.assertRaisesRegex(interpole.Error, 'frame: column "saw" is missing; say by argument observation which'):
            model.fit(misnamed, record="id", action="done", observation="saw")
        self.assertEqual(misnamed.released, {"schema": 1, "array": 1, "stream": 1})


class Released(PackageTest):
    """From a stream to the history tree and no further: nothing that valgrind takes for an error by itself.

    PYTHONMALLOC=malloc valgrind --error-exitcode=9 /usr/bin/python3 arrow_test.py PROGRAM PROJECT Released
    """

    def read(self, stream):
        source = held(stream, columns={name: name for name in NAMES})
        return _engine.read_data(str(STUDIES / "bias.toml"), source.tables, None)

    def test_after_reading(self):
        for batches in ([batch(visits())], [batch(visits()[:2]), batch(visits()[2:])]):
            stream = ByHand(NAMES, batches)
            self.assertEqual(self.read(stream), (2, 5, 3))
            self.assertEqual(stream.released, {"schema": 1, "array": len(batches), "stream": 1})

    def test_a_batch_is_kept_while_the_table_lives(self):
        stream = ByHand(NAMES, [batch(visits())])
        source = held(stream, columns={name: name for name in NAMES})
        self.assertEqual(stream.released, {"schema": 1, "array": 0, "stream": 1})
        del source
        self.assertEqual(stream.released["array"], 1)

    def refused(self, stream, words):
        with self.assertRaisesRegex(interpole.Error, words):
            self.read(stream)

    def test_after_errors(self):
        rows = visits()
        broken = ByHand(NAMES, [batch(rows), batch(rows)], fail_at=1)
        self.refused(broken, "frame: the stream cannot be read: the disk is on fire")
        self.assertEqual(broken.released, {"schema": 1, "array": 1, "stream": 1})
        length, columns = batch(rows)
        columns[1] = (b"ttu", [None, np.zeros(length, dtype=np.int64)], None)
        strange = ByHand(NAMES, [(length, columns)])
        self.refused(strange, 'frame: column step has the Arrow kind "ttu", which is not read')
        self.assertEqual(strange.released, {"schema": 1, "array": 1, "stream": 1})
        no_table = ByHand(NAMES, [batch(rows)], format_of_table=b"l")
        self.refused(no_table, 'the stream holds "l", not a table')
        self.assertEqual(no_table.released, {"schema": 1, "array": 0, "stream": 1})
        wrong = ByHand(NAMES, [batch([("p1", 1, "monitor", "purple")])])
        self.refused(wrong, 'frame: row 0: column observation: "purple" is not an observation')
        self.assertEqual(wrong.released, {"schema": 1, "array": 1, "stream": 1})


if __name__ == "__main__":
    main()
