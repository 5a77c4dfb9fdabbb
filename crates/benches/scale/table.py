"""Reads the measurements of run.sh, and formats tables."""

import csv
import pathlib

NUMBERS = {"endgame": str, "seconds": float, "cpu_seconds": float, "rate_mbit": float, "delay_ms": float}
KEYS = ("endgame", "workers", "hosts", "rate_mbit", "delay_ms")
LEAST = ("seconds", "cpu_seconds", "largest_kb", "all_kb", "wire_bytes", "packets", "notes_bytes")


def read(path):
    """The machine, and a row for each setting, with the minimum of each number over its runs."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    machine = " ".join(line[2:] for line in lines if line.startswith("# "))
    rows = {}
    for line in csv.DictReader(line for line in lines if not line.startswith("#")):
        row = {name: NUMBERS.get(name, int)(value) for name, value in line.items()}
        before = rows.setdefault(tuple(row[name] for name in KEYS), row)
        for name in LEAST:
            before[name] = min(before[name], row[name])
    return machine, list(rows.values())


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
