"""Run a program to its end, and measure what it took of the machine."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time


def measured(command, output=os.devnull, environment=(), **options):
    """The wall-clock time, the processor time and the most memory of a command; its standard output goes to a file.

    GNU time starts the command, since the memory that the kernel counts for a program is at least that of the
    process that starts it, and this interpreter is larger than some of the programs.
    """
    with tempfile.NamedTemporaryFile() as note, open(output, "wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(
            ["time", "--quiet", "--format", "%M", "--output", note.name, *command],
            stdout=stream, env={**os.environ, **dict(environment)}, **options,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}")
        return {
            "seconds": seconds,
            "processor_seconds": usage.ru_utime + usage.ru_stime,
            "peak_bytes": int(note.read()) * 1024,
        }


def in_turn(runs):
    """The measurement of programs that ran one after another."""
    return {
        "seconds": sum(run["seconds"] for run in runs),
        "processor_seconds": sum(run["processor_seconds"] for run in runs),
        "peak_bytes": max(run["peak_bytes"] for run in runs),
    }


def bytes_of(folder, *patterns):
    """The size of the files in a folder whose names match."""
    return sum(path.stat().st_size for pattern in patterns for path in pathlib.Path(folder).glob(pattern))


def revision(program):
    """The version in a program's own words, or the commit of the folder that it was built in."""
    path = pathlib.Path(program)
    command = ["git", "-C", path, "describe", "--always"] if path.is_dir() else [path, "--version"]
    answer = subprocess.run(command, capture_output=True, text=True)
    return answer.stdout.strip() or "of unknown version"
