"""Warehouses that tests run queries in: DuckDB from its library, Debian's Postgres started for the purpose, and ClickHouse
(chDB's library) where INTERPOLE_CHDB names it."""
import csv
import ctypes
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")


def columns_of(path):
    with open(path, newline="", encoding="utf-8") as table:
        return next(csv.reader(table))


class Duckdb:
    """A database in memory, or in a file. Tables are CSV files, every column text."""
    name = "duckdb"

    class _Result(ctypes.Structure):
        _fields_ = [("numbers", ctypes.c_uint64 * 3), ("pointers", ctypes.c_void_p * 3)]

    def __init__(self, project, path=None):
        self._library = ctypes.CDLL(str(next(project.glob(".deps/duckdb-*/lib/libduckdb.so"))))
        self._library.duckdb_result_error.restype = ctypes.c_char_p
        self._database = ctypes.c_void_p()
        self._connection = ctypes.c_void_p()
        assert self._library.duckdb_open(str(path).encode() if path else None, ctypes.byref(self._database)) == 0
        assert self._library.duckdb_connect(self._database, ctypes.byref(self._connection)) == 0

    def run(self, sql):
        result = self._Result()
        failed = self._library.duckdb_query(self._connection, sql.encode(), ctypes.byref(result))
        message = (self._library.duckdb_result_error(ctypes.byref(result)) or b"").decode() if failed else ""
        self._library.duckdb_destroy_result(ctypes.byref(result))
        if failed:
            raise RuntimeError(message)

    def load(self, table, path):
        self.run(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM read_csv('{path}', all_varchar = true, header = true)")

    def counts(self, query, path):
        self.run(f"COPY ({query}) TO '{path}'" + ("" if path.suffix == ".parquet" else " (HEADER)"))

    def close(self):
        self._library.duckdb_disconnect(ctypes.byref(self._connection))
        self._library.duckdb_close(ctypes.byref(self._database))


class Postgres:
    """A server of our own on a socket in a private folder, run by whoever is not root."""
    name = "postgres"

    def __init__(self, settings=""):
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="interpole-pg-"))
        self._user = {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
            self._user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        data = self._folder / "data"
        try:
            self._server("initdb", "-D", data, "-A", "trust", "-U", "postgres", "-N", "--no-locale", "-E", "UTF8")
            with open(data / "postgresql.conf", "a", encoding="utf-8") as file:
                file.write(f"listen_addresses = ''\nunix_socket_directories = '{self._folder}'\nfsync = off\n{settings}")
            self._server("pg_ctl", "-D", data, "-l", self._folder / "log", "-w", "start")
        except BaseException:
            shutil.rmtree(self._folder)
            raise

    @staticmethod
    def is_installed():
        return (POSTGRES / "initdb").exists()

    def _server(self, program, *arguments):
        subprocess.run([POSTGRES / program, *map(str, arguments)], cwd=self._folder, check=True, stdout=subprocess.DEVNULL,
                       **self._user)

    def run(self, *arguments):
        done = subprocess.run([POSTGRES / "psql", "-h", self._folder, "-U", "postgres", "-X", "-q", "--csv", "-v",
                               "ON_ERROR_STOP=1", *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def load(self, table, path):
        columns = ", ".join(f'"{name.lower()}" TEXT' for name in columns_of(path))
        self.run("-c", f"DROP TABLE IF EXISTS {table} CASCADE", "-c", f"CREATE TABLE {table} ({columns})",
                 "-c", rf"\copy {table} FROM '{path}' CSV HEADER")

    def counts(self, query, path):
        path.write_text(self.run("-c", query), encoding="utf-8")

    def close(self):
        self._server("pg_ctl", "-D", self._folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self._folder)


class Clickhouse:
    """ClickHouse inside this process."""
    name = "clickhouse"

    def __init__(self):
        self._library = ctypes.CDLL(os.environ["INTERPOLE_CHDB"])
        types = {"chdb_connect": (ctypes.POINTER(ctypes.c_void_p), [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]),
                 "chdb_query": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
                 "chdb_result_error": (ctypes.c_char_p, [ctypes.c_void_p]),
                 "chdb_result_buffer": (ctypes.c_void_p, [ctypes.c_void_p]),
                 "chdb_result_length": (ctypes.c_size_t, [ctypes.c_void_p])}
        for name, (result, arguments) in types.items():
            getattr(self._library, name).restype = result
            getattr(self._library, name).argtypes = arguments
        self._connection = self._library.chdb_connect(1, (ctypes.c_char_p * 1)(b"clickhouse"))

    @staticmethod
    def is_installed():
        return "INTERPOLE_CHDB" in os.environ

    def run(self, sql):
        result = self._library.chdb_query(self._connection[0], sql.encode(), b"CSVWithNames")
        error = self._library.chdb_result_error(result)
        if error:
            raise RuntimeError(error.decode())
        size = self._library.chdb_result_length(result)
        return ctypes.string_at(self._library.chdb_result_buffer(result), size).decode() if size else ""

    def load(self, table, path):
        columns = ", ".join(f"`{name}` Nullable(String)" for name in columns_of(path))
        self.run(f"DROP TABLE IF EXISTS {table}")
        self.run(f"CREATE TABLE {table} ENGINE = Memory AS SELECT * FROM file('{path}', 'CSVWithNames', '{columns}')")

    def counts(self, query, path):
        path.write_text(self.run(query), encoding="utf-8")

    def close(self):
        pass
