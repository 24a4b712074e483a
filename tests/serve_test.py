"""`interpole serve` as browsers, scripts and people who mean harm meet it."""
import gzip
import json
import os
import re
import signal
import stat
import time

import program
from patience import slowed
from program import PROGRAM, ProgramTest
from serve_client import Server, read_reply, wait_until

MEGABYTE = 1 << 20


class Served(ProgramTest):
    """A model of 50 patients, and its server."""

    with_study = True

    def setUp(self):
        super().setUp()
        self.make_server()

    def make_server(self):
        self.run_well("simulate", "bias", "--patients", 50, "--seed", 1, "--output", "v.csv", "--quiet")
        self.run_well("fit", "--study", self.study("bias"), "--data", "v.csv", "--restarts", 2, "--output", "m.json",
                      "--quiet")
        study = ("--study", self.study("bias")) if self.with_study else ()
        self.server = Server(PROGRAM, self.folder, "--model", "m.json", "--data", "v.csv", *study)

    def tearDown(self):
        self.server.close()
        super().tearDown()

    def data(self, *fields):
        status, names, body = self.server.ask("GET /api/data", *fields)
        self.assertEqual(status, 200)
        return json.loads(gzip.decompress(body) if names.get("Content-Encoding") == "gzip" else body)

    def fit(self):
        return json.loads(self.server.ask("GET /api/fit")[2])

    def start(self, **asked):
        return self.server.ask("POST /api/fit", body=json.dumps(asked).encode())

    def assert_still_well(self, seconds=1.0):
        began = time.monotonic()
        self.assertEqual(self.server.ask("GET /api/fit")[0], 200)
        self.assertLess(time.monotonic() - began, slowed(seconds))


class WhoMayAsk(Served):
    def test_the_page_needs_no_token_and_holds_no_data(self):
        status, fields, page = self.server.ask("GET /", token="")
        self.assertEqual(status, 200)
        self.assertTrue(fields["Content-Type"].startswith("text/html"))
        self.assertNotIn(b"declare-diseased", page)
        self.assertNotIn(self.server.token.encode(), page)
        policy = fields["Content-Security-Policy"]
        for part in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "'sha256-"):
            self.assertIn(part, policy)
        self.assertNotIn("unsafe", policy)
        status, head_fields, body = self.server.ask("HEAD /", token="")
        self.assertEqual((status, body), (200, b""))
        self.assertEqual(head_fields["Content-Length"], fields["Content-Length"])

    def test_every_answer_is_private(self):
        for line, token in (("GET /", ""), ("GET /api/data", None), ("GET /api/data", "wrong"), ("GET /nowhere", None)):
            _, fields, _ = self.server.ask(line, token=token)
            self.assertEqual(fields["Cache-Control"], "no-store", line)
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff", line)
            self.assertEqual(fields["Referrer-Policy"], "no-referrer", line)
            self.assertEqual(fields["Cross-Origin-Resource-Policy"], "same-origin", line)
            self.assertEqual(fields["X-Frame-Options"], "DENY", line)
            self.assertIn("default-src 'none'", fields["Content-Security-Policy"], line)
            self.assertFalse([name for name in fields if name.startswith("Access-Control")], line)

    def test_wrong_tokens_are_refused(self):
        right = self.server.token
        flipped = right[:-1] + ("A" if right[-1] != "A" else "E")
        for token in ("", "x", right[:-1], right + "A", right.swapcase(), flipped):
            for line in ("GET /api/data", "GET /api/fit", "POST /api/fit", "DELETE /api/fit"):
                self.assertEqual(self.server.ask(line, token=token)[0], 403, (line, token))
        self.assertEqual(self.server.ask(f"GET /api/data?token={right}", token="")[0], 403)

    def test_other_hosts_and_origins_are_refused(self):
        port = self.server.port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"[::1]:{port}", ""):
            self.assertEqual(self.server.ask("GET /api/data", host=host)[0], 421, host)
        self.assertEqual(self.server.ask("GET /api/data", host=f"localhost:{port}")[0], 200)
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", "file://", f"http://127.0.0.1:{port}0"):
            self.assertEqual(self.server.ask("GET /api/data", f"Origin: {origin}")[0], 403, origin)
        self.assertEqual(self.server.ask("GET /api/data", f"Origin: http://127.0.0.1:{port}")[0], 200)
        status, fields, _ = self.server.ask("OPTIONS /api/data", "Origin: http://evil.example", token="")
        self.assertEqual(status, 403)
        self.assertNotIn("Access-Control-Allow-Origin", fields)

    def test_paths_and_methods_are_exact(self):
        for path in ("/../etc/passwd", "/%2e%2e/", "//api/data", "/api/data/", "/api/%64ata", "/API/DATA", "/api",
                     "/api/keep", "/index.html", "/m.json"):
            self.assertEqual(self.server.ask(f"GET {path}")[0], 404, path)
        status, fields, _ = self.server.ask("PUT /api/fit")
        self.assertEqual((status, fields["Allow"]), (405, "GET, HEAD, POST, DELETE"))
        self.assertEqual(self.server.ask("TRACE /")[0], 405)

    def test_http_1_0_is_answered_and_closed(self):
        for kept in (b"", b"Connection: keep-alive\r\n"):
            status, reply = self.server.exchange(
                b"GET / HTTP/1.0\r\nHost: localhost:%d\r\n%s\r\n" % (self.server.port, kept))
            self.assertEqual(status, 200)
            self.assertIn(b"Connection: close", reply)

    def test_it_listens_on_this_machine_only(self):
        with open(f"/proc/{self.server.process.pid}/net/tcp", encoding="ascii") as table:
            listening = [row.split()[1] for row in table.readlines()[1:] if row.split()[3] == "0A"]
        self.assertIn(f"0100007F:{self.server.port:04X}", listening)
        self.assertNotIn(f"00000000:{self.server.port:04X}", listening)


class Malformed(Served):
    def cases(self):
        """Name, bytes."""
        host = f"Host: 127.0.0.1:{self.server.port}"
        start = f"GET / HTTP/1.1\r\n{host}\r\n"
        post = f"POST /api/fit HTTP/1.1\r\n{host}\r\nX-Interpole-Token: {self.server.token}\r\n"
        chunk = "10000\r\n" + "a" * 65536 + "\r\n"
        smuggled = f"0\r\n\r\nGET /api/data HTTP/1.1\r\n{host}\r\n\r\n"
        return {
            "duplicate content-length": post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
            "different content-lengths": post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            "list of content-lengths": post + "Content-Length: 2, 2\r\n\r\n{}",
            "signed content-length": post + "Content-Length: +2\r\n\r\n{}",
            "negative content-length": post + "Content-Length: -1\r\n\r\n",
            "enormous content-length": post + "Content-Length: 99999999999999999999\r\n\r\n",
            "content-length over the limit": post + "Content-Length: 2000000\r\n\r\n" + "a" * 2000000,
            "content-length and chunks": post + f"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{smuggled}",
            "chunks and content-length": post + f"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n{smuggled}",
            "xchunked": post + f"Transfer-Encoding: xchunked\r\n\r\n{smuggled}",
            "chunked with a vertical tab": post + f"Transfer-Encoding: \x0bchunked\r\n\r\n{smuggled}",
            "identity, chunked": post + f"Transfer-Encoding: identity, chunked\r\n\r\n{smuggled}",
            "chunked twice": post + f"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n{smuggled}",
            "chunked body over the limit": post + "Transfer-Encoding: chunked\r\n\r\n" + 40 * chunk + "0\r\n\r\n",
            "chunk of 2^64 bytes": post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\na",
            "endless chunk extension": post + "Transfer-Encoding: chunked\r\n\r\n1;" + "a" * 500000,
            "20,000 headers": start + "".join(f"X-{i}: a\r\n" for i in range(20000)) + "\r\n",
            "20,000 equal headers": start + "X: a\r\n" * 20000 + "\r\n",
            "one header of 1 MB": start + "X: " + "a" * MEGABYTE + "\r\n\r\n",
            "header name of 1 MB": start + "a" * MEGABYTE,
            "request line of 1 MB": "GET /" + "a" * MEGABYTE + f" HTTP/1.1\r\n{host}\r\n\r\n",
            "request line without an end": "G" * MEGABYTE,
            "method of 10 kB": "G" * 10000 + f" / HTTP/1.1\r\n{host}\r\n\r\n",
            "space before colon": start + "X-A : b\r\n\r\n",
            "space before the colon of content-length": post + "Content-Length : 2\r\n\r\n{}",
            "bare LF": start.replace("\r\n", "\n") + "\n",
            "one bare LF": start + "X: a\nY: b\r\n\r\n",
            "bare CR": start + "X: a\rY: b\r\n\r\n",
            "folded header": start + "X: a\r\n b\r\n\r\n",
            "NUL in a header": start + "X: a\0b\r\n\r\n",
            "NUL in the target": f"GET /\0 HTTP/1.1\r\n{host}\r\n\r\n",
            "control character": start + "X: \x07\r\n\r\n",
            "no host": "GET / HTTP/1.1\r\n\r\n",
            "no host in HTTP/1.0": "GET / HTTP/1.0\r\n\r\n",
            "two hosts": start + "Host: evil.example\r\n\r\n",
            "two equal hosts": start + f"{host}\r\n\r\n",
            "absolute target": f"GET http://127.0.0.1:{self.server.port}/ HTTP/1.1\r\n{host}\r\n\r\n",
            "CONNECT": f"CONNECT evil.example:443 HTTP/1.1\r\n{host}\r\n\r\n",
            "asterisk": f"OPTIONS * HTTP/1.1\r\n{host}\r\n\r\n",
            "no version": f"GET /\r\n{host}\r\n\r\n",
            "HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "HTTP/9.9": f"GET / HTTP/9.9\r\n{host}\r\n\r\n",
            "nonsense": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            "empty line first": "\r\n" + start + "\r\n",
            "two tokens": post + f"X-Interpole-Token: {self.server.token}\r\n\r\n",
        }

    def test_everything_malformed_is_refused_and_the_connection_closed(self):
        after = self.server.head("GET /api/fit", "Connection: close")
        for name, text in self.cases().items():
            with self.subTest(name):
                status, reply = self.server.exchange(text.encode("latin-1") + after)
                self.assertIsNotNone(status, "closed without a word")
                self.assertTrue(400 <= status < 500, status)
                self.assertEqual(len(re.findall(rb"HTTP/1\.\d \d{3} ", reply)), 1, "what followed was read as another request")
                self.assertNotIn(b'"state"', reply)
                self.assertIn(b"Connection: close", reply)
        self.assert_still_well()

    def test_memory_is_bounded(self):
        cases = [text.encode("latin-1") for text in self.cases().values()]
        for data in cases:
            self.server.exchange(data)
        before = self.server.memory()
        for _ in range(10):
            for data in cases:
                self.server.exchange(data)
        self.assertLess(self.server.memory() - before, 16 * MEGABYTE)

    def test_good_requests_survive_unusual_cutting(self):
        request = self.server.head("GET /api/fit") + self.server.head("HEAD /") + self.server.head(
            "GET /api/fit", "Connection: close")
        with self.server.connect() as client:
            for i in range(0, len(request), 7):
                client.sendall(request[i:i + 7])
            _, reply = read_reply(client)
        self.assertEqual(reply.count(b"HTTP/1.1 200 OK"), 3)
        self.assertEqual(reply.count(b'"state"'), 2)


class Crowds(Served):
    def half_open(self, count, text=b"GET / HTTP/1.1\r\nHo"):
        clients = []
        for _ in range(count):
            client = self.server.connect()
            self.addCleanup(client.close)
            client.sendall(text)
            clients.append(client)
        return clients

    def test_200_half_open_connections_hold_up_nobody(self):
        self.half_open(200)
        for _ in range(5):
            self.assert_still_well(seconds=1.0)

    def test_neither_do_more_than_there_is_room_for(self):
        self.half_open(600)
        self.assert_still_well(seconds=1.0)
        self.half_open(300, b"")
        self.assert_still_well(seconds=1.0)

    def test_nor_do_those_who_do_not_read_what_they_asked_for(self):
        request = self.server.head("GET /", token="")
        self.half_open(300, request * 20)
        self.assert_still_well(seconds=1.0)
        self.assertLess(self.server.memory(), 500 * MEGABYTE)

    def test_slow_clients_are_cut_off(self):
        clients = self.half_open(3) + self.half_open(1, self.server.head("POST /api/fit", "Content-Length: 9") + b"{")
        began = time.monotonic()
        for client in clients:
            self.assertEqual(read_reply(client)[1], b"")
        self.assertLess(time.monotonic() - began, slowed(10))

    def test_connections_are_kept_for_further_requests(self):
        with self.server.connect() as client:
            for _ in range(20):
                client.sendall(self.server.head("GET /api/fit"))
                reply = client.recv(65536)
                self.assertIn(b"200 OK", reply)


class LiveFit(Served):
    def test_a_fit_is_made_shown_and_kept_nowhere(self):
        before = self.data()
        self.assertEqual(before, self.data("Accept-Encoding: gzip"))
        self.assertEqual((before["refit"], before["can_refit"]), (False, True))
        model = (self.folder / "m.json").read_bytes()
        self.assertEqual(self.fit()["state"], "idle")
        self.assertEqual(self.start(dynamics="shared", restarts=2, seed=7)[0], 202)
        self.assertTrue(wait_until(lambda: self.fit()["state"] != "running"))
        ended = self.fit()
        self.assertEqual((ended["state"], ended["progress"]), ("done", 1.0), ended["message"])
        after = self.data()
        self.assertTrue(after["refit"])
        self.assertNotEqual(before["model"], after["model"])
        self.assertEqual((self.folder / "m.json").read_bytes(), model)
        # The command line that is shown makes the very same model.
        command = ended["command"].split()
        self.assertEqual(command[:2], ["interpole", "fit"])
        self.run_well(*command[1:], "--quiet")
        self.run_well("report", "--model", "model.json", "--data", "v.csv", "--study", self.study("bias"), "--payload",
                      "p.json", "--quiet")
        self.assertEqual(json.loads((self.folder / "p.json").read_text())["model"], after["model"])
        self.assertEqual(self.server.ask("DELETE /api/fit")[0], 200)
        self.assertEqual(self.data()["model"], before["model"])

    def test_one_at_a_time_stopped_when_asked(self):
        self.assertEqual(self.start(restarts=1000)[0], 202)
        status, _, sentence = self.start(restarts=1)
        self.assertEqual(status, 409)
        self.assertIn(b"a fit is running", sentence)
        self.assert_still_well()
        self.assertEqual(self.server.ask("DELETE /api/fit")[0], 200)
        self.assertTrue(wait_until(lambda: self.fit()["state"] != "running", 20))
        self.assertEqual(self.fit()["state"], "stopped")
        self.assertFalse(self.data()["refit"])

    def test_bad_requests_for_a_fit(self):
        for body in (b"{", b"[]", b'{"restarts":0}', b'{"seed":-1}', b'{"dynamics":"x"}', b'{"output":"/tmp/x"}',
                     b'{"states":3}', b"[" * 10000, b"\xff"):
            status, _, sentence = self.server.ask("POST /api/fit", body=body)
            self.assertEqual(status, 400, body)
            self.assertGreater(len(sentence), 20)
        self.assertEqual(self.fit()["state"], "idle")

    def test_ctrl_c_ends_it_cleanly_even_during_a_fit(self):
        self.assertEqual(self.start(restarts=1000)[0], 202)
        self.assertEqual(list(self.server.temporary.iterdir()), [])  # the fit lives in memory
        client = self.server.connect()
        self.addCleanup(client.close)
        self.assertEqual(self.server.stop(signal.SIGINT), 0, self.server.talk())
        self.assertEqual(list(self.server.temporary.iterdir()), [])

    def test_so_does_the_systems_own_request(self):
        self.assertEqual(self.server.stop(signal.SIGTERM), 0)


class LiveGroups(Served):
    """Two sites whose doctors declare at different beliefs."""

    def make_server(self):
        for name, seed, boundary in (("north", 1, 0.7), ("south", 2, 0.9)):
            self.run_well("simulate", "diag", "--patients", 60, "--seed", seed, "--boundary", boundary, "--output",
                          f"{name}.csv", "--quiet")
        files = ("--study", self.study("two-sites"), "--data", "north=north.csv", "--data", "south=south.csv")
        self.run_well("fit", *files, "--dynamics", "shared", "--restarts", 2, "--output", "m.json", "--quiet")
        self.server = Server(PROGRAM, self.folder, "--model", "m.json", *files)

    def wait_for_the_end(self):
        self.assertTrue(wait_until(lambda: self.fit()["state"] != "running", 120))
        ended = self.fit()
        self.assertEqual((ended["state"], ended["shown"]), ("done", True), ended["message"])

    def test_a_fit_with_the_same_dynamics_shows_the_same_comparison(self):
        before = self.data()
        self.assertEqual(before["groups"]["notes"], [])
        self.assertEqual(self.start(dynamics="shared", restarts=2, seed=7)[0], 202)
        self.wait_for_the_end()
        self.assertTrue(self.data()["refit"])
        self.assertEqual(self.data()["groups"], before["groups"])

    def test_a_fit_with_other_dynamics_is_shown_before_groups_are_compared(self):
        before = self.data()
        self.assertEqual(self.start(dynamics="subjective", restarts=2)[0], 202)
        self.assertTrue(wait_until(lambda: self.fit()["shown"], 120))
        early = self.data()
        self.assertTrue(early["refit"])
        if self.fit()["state"] == "running":  # nearly always: the comparison takes longer than a request
            self.assertEqual(early["groups"]["boundaries"], before["groups"]["boundaries"])
            self.assertIn("made with shared dynamics", early["groups"]["notes"][-1])
        self.wait_for_the_end()
        late = self.data()
        self.assertEqual(late["model"], early["model"])
        self.assertEqual(late["groups"]["notes"], [])
        self.assertNotEqual(late["groups"]["boundaries"], before["groups"]["boundaries"])


class WithoutStudy(Served):
    with_study = False

    def test_a_fit_needs_a_study(self):
        status, _, sentence = self.server.ask("POST /api/fit", body=b"{}")
        self.assertEqual(status, 409)
        self.assertIn(b"--study", sentence)
        self.assertFalse(json.loads(self.server.ask("GET /api/data")[2])["can_refit"])

    def test_a_port_that_is_taken(self):
        result = self.run_program("serve", "--model", "m.json", "--data", "v.csv", "--port", self.server.port,
                                  "--no-browser")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"port {self.server.port}", result.stderr)
        self.assertEqual(result.stdout, "")


class Browser(Served):
    def test_it_is_given_a_private_file_that_leads_to_the_address(self):
        self.server.close()
        (self.folder / "bin").mkdir()
        opener = self.write("bin/xdg-open", "#!/bin/sh\n"
                            "echo \"$@\" >\"$SEEN.part\"; cat \"$1\" >\"$SEEN.file\"; mv \"$SEEN.part\" \"$SEEN\"\n")
        opener.chmod(0o755)
        seen = self.folder / "seen"
        path = f"{opener.parent}:{os.environ['PATH']}"
        self.server = Server(PROGRAM, self.folder, "--model", "m.json", "--data", "v.csv", browser=True,
                             environment={"PATH": path, "DISPLAY": ":0", "SEEN": str(seen)})
        self.assertTrue(wait_until(seen.exists, 20))
        self.assertNotIn(self.server.token, seen.read_text())
        self.assertIn(self.server.address, (self.folder / "seen.file").read_text())
        folder = os.path.dirname(seen.read_text().strip())
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        self.assertEqual(self.server.stop(), 0)
        self.assertFalse(os.path.exists(folder))


class Builder(ProgramTest):
    """A session without a model: a table is sent, a study chosen and fitted."""

    def setUp(self):
        super().setUp()
        rows = [f"{p},{v},{(p * 7 + v * 5) % 10},{'scan' if (p * 7 + v * 5) % 10 > 5 else 'wait'}"
                for p in range(40) for v in range(5)]
        self.table = ("who,day,score,done\n" + "\n".join(rows) + "\n").encode()
        self.server = Server(PROGRAM, self.folder)

    def tearDown(self):
        self.server.close()
        super().tearDown()

    def send(self, body, name="my%20table.csv", **more):
        return self.server.ask(f"POST /api/table?name={name}", body=body, **more)

    def choose(self, choice):
        return json.loads(self.server.ask("POST /api/builder", body=json.dumps(choice).encode())[2])

    def test_a_study_is_chosen_fitted_and_shown_and_nothing_is_left(self):
        self.assertEqual(json.loads(self.server.ask("GET /api/session")[2]), {"builder": True})
        self.assertEqual(self.server.ask("GET /api/data")[0], 204)
        self.assertEqual(self.server.ask("POST /api/fit", body=b"{}")[0], 409)
        status, _, body = self.send(self.table)
        self.assertEqual(status, 200)
        choice = json.loads(body)["choice"]
        choice["states"] = ["well", "ill"]
        built = self.choose(choice)
        self.assertEqual(built["trouble"], "")
        self.assertEqual(built["check"]["patients"], 40)
        self.assertEqual(self.server.ask("POST /api/fit", body=b'{"dynamics": "shared"}')[0], 202)
        fit = lambda: json.loads(self.server.ask("GET /api/fit")[2])
        self.assertTrue(wait_until(lambda: fit()["state"] != "running", 120))
        self.assertEqual(fit()["state"], "done", fit())
        self.assertEqual(fit()["command"].split(" --dynamics")[0],
                         "interpole fit --study my_table.toml --data my_table.csv")
        shown = json.loads(self.server.ask("GET /api/data")[2])
        self.assertEqual(shown["model"]["states"], ["well", "ill"])
        self.assertFalse(shown["refit"])
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(list(self.server.temporary.iterdir()), [])
        self.assertEqual(self.server.talk().count("my_table"), 0)

    def test_a_table_needs_the_token_and_is_not_too_large(self):
        self.assertEqual(self.send(self.table, token="wrong")[0], 403)
        status, _, sentence = self.server.ask("POST /api/table?name=x.csv", "Content-Length: 67108865")
        self.assertEqual((status, sentence), (413, b"the body is longer than 67108864 bytes\n"))
        self.assertEqual(self.server.ask("POST /api/builder", "Content-Length: 65537")[0], 413)
        status, _, sentence = self.send(b"\0\1\2", name="..%2Fx.csv")
        self.assertEqual(status, 400)
        self.assertNotIn(b"/", sentence)
        self.assertEqual(json.loads(self.server.ask("GET /api/builder")[2]), {"table": None})

    def test_what_is_no_choice_is_refused(self):
        self.send(self.table)
        for body in (b"", b"[]", b'{"id": 3}', b'{"other": 1}', b'{"id": "a", "id": "b"}'):
            self.assertEqual(self.server.ask("POST /api/builder", body=body)[0], 400, body)
        self.assertIn("whose row it is", self.choose({})["trouble"])


class Refusals(ProgramTest):
    def test_a_table_beside_a_model(self):
        self.write("v.csv", "patient,step,action,observation\n")
        result = self.run_program("serve", "--model", "m.json", "--table", "v.csv")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--table", result.stderr)
        self.assertEqual(self.run_program("serve", "--model", "m.json").returncode, 2)
        self.assertEqual(self.run_program("serve", "--table", "none.csv").returncode, 3)
        self.assertEqual(self.run_program("serve", "--table", "v.csv").returncode, 3)

    def test_words_that_name_no_model(self):
        self.write("v.csv", "patient,step,action,observation\n")
        self.assertEqual(self.run_program("serve", "--data", "v.csv").returncode, 2)
        self.assertEqual(self.run_program("serve", "--model", "none.json", "--data", "v.csv").returncode, 3)
        self.assertEqual(self.run_program("serve", "--model", "m", "--data", "v.csv", "--port", 70000).returncode, 2)


if __name__ == "__main__":
    program.main()
