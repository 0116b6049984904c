# SPDX-License-Identifier: MIT
"""The CPU time of programs that run for a long time, for the experiments that are stopped and resumed."""

import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

POLL_SECONDS = 0.05
NOTE_SECONDS = 2


def write_whole(path, text):
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


def locked(folder):
    """A file that keeps other scripts out of the folder while it is open."""
    file = (folder / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"{sys.argv[0]}: {folder} is in use by another run")
    return file


def cpu_seconds_of(pid):
    """Of a running process, with the children it waited for."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def this_machine():
    model = next((line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if "model name" in line), "?")
    return f"{os.cpu_count()} CPUs of {model}"


class Machines:
    """All that results of a folder were found on."""

    def __init__(self, folder, part):
        self.path = folder / f"machines{part}"

    def list(self):
        """Also those of parts that were gathered in the folder."""
        found = [line for path in sorted(self.path.parent.glob("machines*")) for line in path.read_text().splitlines()]
        return list(dict.fromkeys(found))

    def note(self, found):
        write_whole(self.path, "\n".join(dict.fromkeys([*self.list(), *found])))


class Ledger:
    """The CPU time of every process, a line each. A process that runs has a file of its own, brought up to
    date while it does, so that what it took counts even if this script is killed with it."""

    def __init__(self, folder, part):
        self.path = folder / f"ledger{part}.jsonl"
        self.running = folder / f"running{part}.json"
        if self.running.exists():
            self.enter(**json.loads(self.running.read_text()))

    def note(self, **entry):
        write_whole(self.running, json.dumps(entry))

    def enter(self, **entry):
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        self.running.unlink(missing_ok=True)

    def seconds(self):
        """CPU seconds by board, also of parts that were gathered in the folder; board 0 is setting up."""
        sums = {}
        for path in [*self.path.parent.glob("ledger*.jsonl"), *self.path.parent.glob("running*.json")]:
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                sums[entry["board"]] = sums.get(entry["board"], 0) + entry["cpu_seconds"]
        return sums


class Runner:
    """Runs the program, one process at a time; SIGINT, SIGTERM and SIGHUP are passed on to it. `part` distinguishes
    the files of hosts that share the work."""

    def __init__(self, folder, part=""):
        self.folder = folder
        self.lock = locked(folder)
        self.ledger = Ledger(folder, part)
        self.machines = Machines(folder, part)
        self.stopped = False
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup ignores it
            signal.signal(signal.SIGHUP, self.stop)

    def stop(self, number, frame):
        # Passed on by the loop that waits: within Popen there is no child yet, and after wait4 none any more.
        self.stopped = True

    def run(self, board, command):
        """Runs the program to its end, enters what it took; returns its exit code and output."""
        output = self.folder / "output"
        with output.open("w") as file:
            # A group of its own: Ctrl-C reaches the program through this script alone.
            child = subprocess.Popen(command, stdout=file, start_new_session=True)
        noted = 0
        told = False
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if self.stopped and not told:
                told = True
                child.send_signal(signal.SIGTERM)
            if time.monotonic() >= noted + NOTE_SECONDS:
                noted = time.monotonic()
                self.ledger.note(board=board, cpu_seconds=cpu_seconds_of(child.pid))
            time.sleep(POLL_SECONDS)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.ledger.enter(board=board, cpu_seconds=usage.ru_utime + usage.ru_stime)
        return child.returncode, output.read_text()
