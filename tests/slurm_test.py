"""The job script of examples/slurm on a real Slurm of one node, with daemons of its own in a folder of its own: submitted,
cancelled, requeued. Skipped, and says why, where Slurm is missing or may not be started."""
import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from patience import slowed
from program import PROGRAM, PROJECT, ProgramTest, main

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "scontrol", "squeue")
# Processes of one node may be more than it has cores: this is about Slurm, not about speed.
CONFIGURATION = """ClusterName=interpole-test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={port}
SlurmdPort={other_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MinJobAge=300
KillWait=30
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """munged, slurmctld and slurmd, in the foreground of threads that this test ends."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="interpole-slurm-"))
        self.daemons = []
        for name in ("state", "spool", "munge"):
            (self.folder / name).mkdir(mode=0o700)
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(),
                                                      folder=self.folder, port=free_port(), other_port=free_port()))
        self.environment = {**os.environ, "SLURM_CONF": str(configuration)}
        self.begin("munged", "--foreground", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munge/pid", f"--log-file={self.folder}/munge/log",
                   f"--seed-file={self.folder}/munge/seed", "--force")
        time.sleep(0.5)
        self.begin("slurmctld", "-D", "-c")
        self.begin("slurmd", "-D")

    def begin(self, *command):
        log = open(self.folder / f"{command[0]}.out", "w", encoding="utf-8")
        path = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/sbin"))
        program = shutil.which(command[0], path=path)
        self.daemons.append(subprocess.Popen([program, *command[1:]], env=self.environment, stdout=log, stderr=log))
        log.close()

    def run(self, *command):
        return subprocess.run(list(map(str, command)), env=self.environment, capture_output=True, text=True,
                              timeout=slowed(60), check=False)

    def wait_until_idle(self):
        end = time.monotonic() + slowed(30)
        while time.monotonic() < end:
            if "idle" in self.run("sinfo", "-h", "-o", "%T").stdout:
                return True
            if any(daemon.poll() is not None for daemon in self.daemons):
                return False
            time.sleep(0.3)
        return False

    def why(self):
        return "; ".join(path.read_text()[-200:].strip() for path in sorted(self.folder.glob("*.out")))

    def revoked(self, job):
        """Whether Slurm refused to start a job again because it had not seen the end of it."""
        log = (self.folder / "slurmctld.log").read_text()
        return f"JobId={job}: Job credential revoked" in log

    def end(self):
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=slowed(20))
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Slurm(ProgramTest):
    @classmethod
    def setUpClass(cls):
        path = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/sbin"))
        missing = [name for name in NEEDED if shutil.which(name, path=path) is None]
        if missing:
            raise unittest.SkipTest(f"not installed: {', '.join(missing)} (scripts/setup test installs them)")
        cls.cluster = Cluster()
        if not cls.cluster.wait_until_idle():
            reason = cls.cluster.why()
            cls.cluster.end()
            raise unittest.SkipTest(f"Slurm may not be started here: {reason}")

    @classmethod
    def tearDownClass(cls):
        cls.cluster.end()

    def setUp(self):
        super().setUp()
        self.run_well("simulate", "bias", "--patients", 300, "--seed", 5, "--output", "visits.csv", "--quiet")
        self.restarts = 300

    def submit(self, *more):
        variables = {"INTERPOLE": PROGRAM, "STUDY": self.study("bias"), "DATA": self.folder / "visits.csv",
                     "FOLDER": self.folder}
        exported = ",".join(["ALL", *(f"{name}={value}" for name, value in variables.items())])
        script = self.folder / "fit.sbatch"
        text = (PROJECT / "examples/slurm/fit.sbatch").read_text()
        text = text.replace(" fit --study", f" fit --restarts {self.restarts} --study")
        script.write_text(text.replace("--checkpoint-seconds 30", "--checkpoint-seconds 2"))
        result = self.cluster.run("sbatch", "--parsable", f"--export={exported}", f"--output={self.folder}/job.out",
                                  f"--chdir={self.folder}", *more, script)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.strip()

    def state_of(self, job):
        for word in self.cluster.run("scontrol", "show", "job", job).stdout.split():
            if word.startswith("JobState="):
                return word.removeprefix("JobState=")
        return ""

    def wait_for(self, job, *states):
        end = time.monotonic() + slowed(300)
        while time.monotonic() < end:
            if self.state_of(job) in states:
                return
            time.sleep(0.1)
        self.fail(f"job {job} is {self.state_of(job)}: {self.output()}")

    def output(self):
        path = self.folder / "job.out"
        return path.read_text() if path.exists() else ""

    def expected(self):
        self.run_well("fit", "--restarts", self.restarts, "--study", self.study("bias"), "--data", self.folder / "visits.csv", "--output",
                      "alone.json", "--quiet")
        return (self.folder / "alone.json").read_bytes()

    def test_a_job_writes_what_one_process_writes(self):
        expected = self.expected()
        job = self.submit()
        self.wait_for(job, "COMPLETED", "FAILED")
        self.assertEqual(self.state_of(job), "COMPLETED", self.output())
        self.assertEqual((self.folder / "model.json").read_bytes(), expected)

    def test_cancelled_it_writes_its_checkpoint_and_submitted_again_goes_on(self):
        while True:  # until there is enough to do to be cancelled in the middle of it, on any machine
            began = time.monotonic()
            expected = self.expected()
            if time.monotonic() - began > slowed(8):
                break
            self.restarts *= 2
        checkpoint = self.folder / "fit.checkpoint"
        job = self.submit()
        end = time.monotonic() + slowed(120)
        while time.monotonic() < end and not checkpoint.exists():
            time.sleep(0.02)
        self.assertTrue(checkpoint.exists(), self.output())
        cancelled = time.time()
        self.cluster.run("scancel", job)
        self.wait_for(job, "CANCELLED", "COMPLETED")
        self.assertEqual(self.state_of(job), "CANCELLED", self.output())
        end = time.monotonic() + slowed(60)
        while time.monotonic() < end and (self.cluster.run("squeue", "-h", "-j", job).stdout.strip()
                                          or checkpoint.stat().st_mtime < cancelled):
            time.sleep(0.1)  # its processes are still ending
        self.assertGreater(checkpoint.stat().st_mtime, cancelled, self.output())
        self.assertFalse((self.folder / "model.json").exists())
        job = self.submit("--ntasks=2")
        self.wait_for(job, "COMPLETED", "FAILED")
        self.assertEqual(self.state_of(job), "COMPLETED", self.output())
        self.assertEqual((self.folder / "model.json").read_bytes(), expected)
        self.assertFalse(checkpoint.exists())

    def test_requeued_it_goes_on(self):
        expected = self.expected()
        job = self.submit()
        self.wait_for(job, "RUNNING", "COMPLETED")
        time.sleep(slowed(4))
        requeued = self.cluster.run("scontrol", "requeue", job).returncode == 0
        # A requeued job may begin only after a while, for its user's sake and because slurmd must have seen it end: of what is
        # started before that, Slurm revokes the credential.
        time.sleep(slowed(6))
        end = time.monotonic() + slowed(300)
        while time.monotonic() < end and self.state_of(job) not in ("COMPLETED", "FAILED"):
            self.cluster.run("scontrol", "update", f"jobid={job}", "starttime=now")
            time.sleep(0.5)
        if self.state_of(job) == "FAILED" and self.cluster.revoked(job):
            self.skipTest("Slurm did not start the requeued job")
        self.assertEqual(self.state_of(job), "COMPLETED", self.output())
        print("requeued" if requeued else "had finished before it was requeued", file=sys.stderr)
        self.assertEqual((self.folder / "model.json").read_bytes(), expected)

    def test_srun_without_an_mpi_is_refused(self):
        result = self.cluster.run("srun", "--mpi=none", "-n", 2, PROGRAM, "fit", "--study", self.study("bias"), "--data",
                                  self.folder / "visits.csv", "--output", self.folder / "model.json")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("SLURM_MPI_TYPE=pmix", result.stderr)
        self.assertFalse((self.folder / "model.json").exists())


if __name__ == "__main__":
    main()
