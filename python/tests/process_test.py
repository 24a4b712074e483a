"""The package in a process: quick to import, stopped by Ctrl-C, other threads go on, memory does not grow."""
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np

from case import STUDIES, PackageTest, interpole, main

LONG = f"""
import interpole, sys, warnings
warnings.simplefilter("ignore")
frame, _ = interpole.simulate("bias", patients=2000, seed=1)
model = interpole.Interpole(study=r"{STUDIES / 'bias.toml'}").fit(frame)
print("begins", flush=True)
try:
    model.sample(draws=100000, warm_up=100000)
except KeyboardInterrupt:
    print("stopped", flush=True)
    print(model.predict_proba(frame).shape[1], flush=True)
"""


class Process(PackageTest):
    def test_import_is_quick_and_loads_nothing(self):
        script = ("import time; begin = time.perf_counter(); import interpole; "
                  "print(time.perf_counter() - begin); import sys; "
                  "print([name for name in ('numpy', 'pandas', 'sklearn', 'interpole._engine') if name in sys.modules])")
        seconds = []
        for _ in range(3):
            words = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split("\n")
            self.assertEqual(words[1], "[]")
            seconds.append(float(words[0]))
        self.assertLess(min(seconds), 0.15)

    def test_ctrl_c_stops_a_long_call_and_leaves_the_process_well(self):
        with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "begins\n")
            time.sleep(0.5)
            asked = time.monotonic()
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.stdout.readline(), "stopped\n")
            self.assertLess(time.monotonic() - asked, 20)
            self.assertEqual(process.stdout.readline(), "3\n")

    def test_other_threads_go_on_meanwhile(self):
        frame, _ = interpole.simulate("bias", patients=1000, seed=1)
        model = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", threads=1)
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.005)

        ticker = threading.Thread(target=tick)
        ticker.start()
        begin = time.monotonic()
        model.fit(frame).sample(draws=100, warm_up=100, chains=2)
        seconds = time.monotonic() - begin
        done.set()
        ticker.join()
        self.assertGreater(len(ticks), 20 * seconds, f"{len(ticks)} ticks in {seconds:.2f} s")

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
        """10,000 fits with INTERPOLE_MANY_FITS=10000; a few hundred otherwise."""
        many = int(os.environ.get("INTERPOLE_MANY_FITS", "300"))
        frame, _ = interpole.simulate("bias", patients=20, seed=1)
        learner = interpole.learners.make("majority", study=STUDIES / "bias.toml")
        sizes = []
        for number in range(many):
            learner.fit(frame)
            learner.predict_proba(frame)
            if number % (many // 10) == 0:
                sizes.append(resident())
        self.assertLess(sizes[-1] - sizes[4], 8e6, f"{np.round(np.array(sizes) / 1e6, 1)} MB")


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


if __name__ == "__main__":
    main()
