"""Solve endgames with distances to mate, and print one JSON object with the sizes of their files.

    python table_sizes.py lucena PROGRAM GROUP...
    python table_sizes.py chesstb FOLDER GROUP...

A GROUP is one or more endgames with + between them, whose sizes are added. chesstb's are those of its reduced form, the
smaller one, with the file of outcomes that its distances are read with.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from process import bytes_of, revision


def solved_by_lucena(program, folder, material):
    report = subprocess.run(
        [program, "--quiet", "solve", material, "--tables", folder, "--format", "json"],
        stdout=subprocess.PIPE, check=True,
    )
    counts = json.loads(report.stdout)
    outcomes = [counts[f"{turn}_to_move"][name] for turn in ("white", "black") for name in ("won", "drawn", "lost")]
    return bytes_of(folder, f"{material}.table"), outcomes


def solved_by_chesstb(program, folder, material):
    program, name = pathlib.Path(program).resolve(), material.replace("v", "")
    subprocess.run([program / "chesstb", "-r", name, "--builddtm"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    files = [f"wdl/{name}.lzw", f"dtm/{name}.lzdtm"]
    subprocess.run([program / "shrink", "--out", "small", *files], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    report = subprocess.run(
        [program / "chesstb", "--info", f"dtm/{name}.info"], cwd=folder, capture_output=True, text=True, check=True
    )
    outcomes = [int(number) for number in re.findall(r"\b(?:win|draw|lose)=(\d+)", report.stdout + report.stderr)]
    return bytes_of(f"{folder}/small", f"{name}.lz*"), outcomes


def main():
    tool, program, *groups = sys.argv[1:]
    solved = {"lucena": solved_by_lucena, "chesstb": solved_by_chesstb}[tool]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for group in groups:
            sizes, outcomes = zip(*(solved(program, folder, material) for material in group.split("+")))
            found[group] = {"file_bytes": sum(sizes), "outcomes": outcomes}
    print(json.dumps({"version": revision(program), "groups": found}))


if __name__ == "__main__":
    main()
