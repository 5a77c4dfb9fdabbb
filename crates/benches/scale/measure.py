"""Runs `lucena solve` once, alone, as processes or on hosts, and adds a line to measured.csv.

run.sh creates the network and calls this script. The measurement ends when the table is in all its target folders
and all workers have ended. It does not include the time in which lucena then counts the positions of the table.
"""

import argparse
import csv
import filecmp
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time

from endgames import Endgame

TICK = os.sysconf("SC_CLK_TCK")
PAUSE = 0.005
FIELDS = [
    "endgame", "plies", "followers", "workers", "hosts", "rate_mbit", "delay_ms", "cores",
    "rounds", "seconds", "cpu_seconds", "largest_kb", "all_kb", "wire_bytes", "packets", "notes_bytes", "table_bytes",
]  # fmt: skip


class Watched:
    """The resources that a process has used so far."""

    def __init__(self, pid):
        self.pid = pid
        self.cpu = 0.0
        self.children_cpu = 0.0
        self.peak_kb = 0
        self.is_there = True

    def look(self):
        try:
            stat = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            self.is_there = False
            return
        if stat[0] in "ZX":
            self.is_there = False
        user, system, children_user, children_system = map(int, stat[11:15])
        self.cpu = (user + system) / TICK
        self.children_cpu = (children_user + children_system) / TICK
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                self.peak_kb = int(line.split()[1])

    def children(self):
        try:
            return [int(pid) for pid in pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            return []


def sent(namespace, device):
    """The bytes and packets that a device of a namespace has sent."""
    lines = subprocess.run(
        ["ip", "netns", "exec", namespace, "cat", "/proc/net/dev"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    numbers = next(line.split(":")[1].split() for line in lines if line.strip().startswith(f"{device}:"))
    return int(numbers[8]), int(numbers[9])


def start(namespace, cores, command):
    """The command, run in a network namespace on some of the cores."""
    return subprocess.Popen(
        ["ip", "netns", "exec", namespace, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )


def rounds_of(checkpoint, endgame):
    """The rounds of all levels, by a worker's checkpoint: its plies, and the initial blocks of each level."""
    plies = 0
    with checkpoint:
        checkpoint.readline()
        while head := checkpoint.read(12):
            packed, unpacked, _ = struct.unpack("<III", head)
            checkpoint.seek(packed, os.SEEK_CUR)
            # The end of a ply is a byte, the number of the level, and the ply; all other records are longer.
            plies += unpacked == 7
    return plies + sum(endgame.levels.values())


def run(arguments):
    """One run: seconds, CPU seconds, memory, notes."""
    folders = []
    for host in range(arguments.hosts or 1):
        folder = arguments.work / f"host{host}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(arguments.followers, folder)
        folders.append(folder)
    tables = [folder / f"{arguments.endgame}.table" for folder in folders]
    solve = [str(arguments.lucena), "solve", arguments.endgame, "--quiet"]
    all_cores = sorted(os.sched_getaffinity(0))
    begin = time.monotonic()
    roots = []
    if arguments.hosts:
        addresses = "".join(f"10.77.0.{host + 1}:4000\n" for host in range(arguments.hosts))
        (arguments.work / "hosts.txt").write_text(addresses, encoding="utf-8")
        for host, folder in enumerate(folders):
            shared = ["--hosts", str(arguments.work / "hosts.txt"), "--here", str(host + 1), "--tables", str(folder)]
            cores = {all_cores[host % len(all_cores)]}
            roots.append(start(f"lucena-scale-{host}", cores, solve + shared))
    else:
        shared = ["--processes", str(arguments.workers)] if arguments.workers > 1 else []
        roots.append(start("lucena-scale-0", all_cores, solve + shared + ["--tables", str(folders[0])]))
    is_shared = arguments.workers > 1
    supervisors, workers, notes = [Watched(root.pid) for root in roots], {}, 0
    checkpoint = None
    try:
        while True:
            if time.monotonic() - begin > arguments.limit:
                sys.exit(f"measure.py: {arguments.endgame} is not done within {arguments.limit:g} s")
            is_there = all(table.exists() for table in tables)
            for root, supervisor in zip(roots, supervisors):
                # A process that ends before the table is there has failed.
                if root.poll() is not None and not is_there and not all(table.exists() for table in tables):
                    sys.exit(f"measure.py: lucena failed: {root.stderr.read().decode().strip()}")
                for pid in supervisor.children() if is_shared else []:
                    workers.setdefault(pid, Watched(pid))
            for process in [*supervisors, *workers.values()]:
                if process.is_there:
                    process.look()
            checkpoints = [path for folder in folders for path in folder.glob("*.plies")]
            notes = max(notes, sum(size(path) for path in checkpoints))
            # It can still be read after it has been removed at the end.
            if is_shared and checkpoints and not checkpoint:
                checkpoint = checkpoints[0].open("rb")
            if is_there and not any(worker.is_there for worker in workers.values()):
                break
            time.sleep(PAUSE)
        seconds = time.monotonic() - begin
    finally:
        # Workers end with their supervisor.
        for root in roots:
            root.kill()
            root.wait()
    processes = list(workers.values()) if is_shared else supervisors
    if is_shared:
        # Supervisors wait for their workers, so the system has counted all of their time.
        cpu = sum(supervisor.children_cpu for supervisor in supervisors)
        cpu = max(cpu, sum(worker.cpu for worker in workers.values()))
    else:
        cpu = sum(supervisor.cpu for supervisor in supervisors)
    for table in tables:
        if not filecmp.cmp(table, arguments.reference, shallow=False):
            sys.exit(f"measure.py: {table} is not what one process makes")
    peaks = [process.peak_kb for process in processes]
    return {
        "endgame": arguments.endgame,
        "plies": json.loads(arguments.report.read_text(encoding="utf-8"))["longest_plies"],
        "followers": sum(Endgame(path.stem).positions() for path in arguments.followers.glob("*.table")),
        "workers": arguments.workers,
        "hosts": arguments.hosts,
        "rate_mbit": arguments.rate,
        "delay_ms": arguments.delay,
        "cores": len(all_cores),
        "rounds": rounds_of(checkpoint, Endgame(arguments.endgame)) if is_shared else 0,
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu, 2),
        "largest_kb": max(peaks),
        "all_kb": sum(peaks),
        "notes_bytes": notes,
        "table_bytes": arguments.reference.stat().st_size,
    }


def size(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lucena", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    parser.add_argument("--followers", type=pathlib.Path, required=True, help="tables of all that the endgame leads to")
    parser.add_argument("--reference", type=pathlib.Path, required=True, help="the table as one process makes it")
    parser.add_argument("--report", type=pathlib.Path, required=True, help="what lucena said of it, as JSON")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--endgame", required=True)
    parser.add_argument("--workers", type=int, required=True)
    parser.add_argument("--hosts", type=int, default=0, help="0: all on one machine")
    parser.add_argument("--rate", type=float, default=0, help="Mbit/s of each host; 0: as it comes")
    parser.add_argument("--delay", type=float, default=0, help="ms on the way from host to host")
    parser.add_argument("--limit", type=float, default=120, help="seconds")
    arguments = parser.parse_args()
    hosts = [(f"lucena-scale-{host}", "wire") for host in range(arguments.hosts)]
    devices = hosts or [("lucena-scale-0", "lo")]
    before = [sent(*device) for device in devices]
    row = run(arguments)
    after = [sent(*device) for device in devices]
    row["wire_bytes"], row["packets"] = (
        sum(then[at] - first[at] for first, then in zip(before, after)) for at in (0, 1)
    )
    is_new = not arguments.csv.exists()
    with arguments.csv.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)
    setting = f"{row['workers']} workers, {row['hosts'] or 1} hosts, {row['rate_mbit']:g} Mbit/s, {row['delay_ms']:g} ms"
    print(
        f"{row['endgame']:7} {setting:38} {row['seconds']:8.2f} s {row['cpu_seconds']:8.2f} CPU s "
        f"{row['wire_bytes'] / 1e6:9.2f} MB {row['packets']:8} packets {row['largest_kb'] / 1024:7.0f} MiB",
        file=sys.stderr,
        flush=True,
    )


main()
