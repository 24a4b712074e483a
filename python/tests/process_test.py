"""The package in a process: quick to import, stopped by Ctrl-C, other threads go on, memory does not grow."""
import gc
import os
import pty
import resource
import subprocess
import sys
import threading

from case import STUDIES, PackageTest, interpole, main

# A long call, and another thread that asks the process to stop it: it runs only if Python's lock was let go.
LONG = f"""
import interpole, os, signal, threading, time, warnings
warnings.simplefilter("ignore")
frame, _ = interpole.simulate("bias", patients=WHO, seed=1)
quick = interpole.Interpole(study=r"{STUDIES / 'bias.toml'}", policy="belief", restarts=1).fit(frame)
model = interpole.Interpole(study=r"{STUDIES / 'bias.toml'}")
print("begins", flush=True)

def ask():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=ask).start()
try:
    CALL
    print("came to its end", flush=True)
except KeyboardInterrupt:
    print("stopped", flush=True)
again = interpole.learners.make("bc").fit(frame)
print(again.predict_proba(frame).shape[1], flush=True)
"""
# Each takes minutes if it is let be.
CALLS = [(20000, "model.fit(frame)"), (200, "quick.sample(draws=1000000, warm_up=1000000)"),
         (2000, "quick.evaluate(replicates=1000000)"), (20, "interpole.simulate('adni', patients=5000000)"),
         (20000, "interpole.learners.make('r-bc').fit(frame)")]


# What takes long enough for a bar.
WORK = f"""
import interpole, warnings
from interpole import _listen
warnings.simplefilter("ignore")
_listen._PATIENCE = 0
frame, _ = interpole.simulate("bias", patients=300, seed=1)
model = interpole.Interpole(study=r"{STUDIES / 'bias.toml'}", policy="belief", restarts=1).fit(frame)
model.sample(draws=2000, warm_up=1000, chains=2)
"""
BAR = r"restarts: +100%.* 1/1 "


class Process(PackageTest):
    def run_python(self, script, **options):
        return subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, **options).stdout

    def test_import_loads_nothing(self):
        """How long it takes: python/bench/speed.py."""
        words = self.run_python("import interpole, sys; print([name for name in ('numpy', 'pandas', 'sklearn', "
                                "'interpole._engine', 'interpole._learner') if name in sys.modules])")
        self.assertEqual(words, "[]\n")

    def test_ctrl_c_stops_long_calls_and_leaves_the_process_well(self):
        for who, call in CALLS:
            with self.subTest(call):
                script = LONG.replace("WHO", str(who)).replace("CALL", call)
                self.assertEqual(self.run_python(script), "begins\nstopped\n3\n")

    def test_progress_is_a_bar_in_a_notebook_and_nothing_in_a_file(self):
        """A notebook's kernel is known by its module; its output is no terminal."""
        for before, expected in (("import sys, types; sys.modules['ipykernel'] = types.ModuleType('ipykernel')\n", BAR),
                                 ("", r"\A\Z")):
            result = subprocess.run([sys.executable, "-c", before + WORK], capture_output=True, text=True, check=True)
            self.assertRegex(result.stderr, expected)

    def test_progress_is_a_bar_on_a_terminal(self):
        ours, theirs = pty.openpty()
        shown = b""
        with subprocess.Popen([sys.executable, "-c", WORK], stderr=theirs) as process:
            os.close(theirs)
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:  # the terminal is closed
                    break
                if not part:
                    break
                shown += part
        os.close(ours)
        self.assertEqual(process.returncode, 0, shown)
        self.assertRegex(shown.decode(), BAR)

    def test_two_threads_fit_at_once_to_the_same_result(self):
        frame, _ = interpole.simulate("diag", patients=60, seed=1)
        texts = [None, None]

        def fit(place):
            texts[place] = interpole.Interpole(study=STUDIES / "diag.toml", restarts=1).fit(frame).model_.text

        threads = [threading.Thread(target=fit, args=(place,)) for place in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIsNotNone(texts[0])
        self.assertEqual(texts[0], texts[1])

    def test_memory_does_not_grow(self):
        """With INTERPOLE_MANY_FITS=10000, so many; a few hundred otherwise. After the first third, nothing is new."""
        many = int(os.environ.get("INTERPOLE_MANY_FITS", "240"))
        frame, _ = interpole.simulate("bias", patients=12, seed=1)
        sizes = []
        for number in range(many):
            model = interpole.Interpole(study=STUDIES / "bias.toml", dynamics="shared", policy="belief", restarts=1,
                                        threads=1, seed=number)
            model.fit(frame).predict_proba(frame)
            if number % (many // 12) == 0:
                gc.collect()
                sizes.append(resident() / 1e6)
        shown = ", ".join(f"{size:.1f}" for size in sizes)
        print(f"{many} fits, MB in use along the way: {shown}")
        self.assertLess(sizes[-1] - sizes[4], 4.0, shown)


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


if __name__ == "__main__":
    main()
