#!/usr/bin/env python3
"""Prints the measurements, the fitted model and its predictions for more men, as tables in Markdown.

    page.py measured.csv                   prints them
    page.py measured.csv docs/scale.md     writes them between the marks of that page
"""

import pathlib
import re
import sys

from endgames import Endgame, endgames
from model import Model, followers
from table import read, rounds, table

# The machines of the predictions: cores, Gbit/s, ms from one to another.
CORES, RATE_GBIT, DELAY_MS = 32, 10, 0.1
# The longest published mates in plies: 262 and 549 moves.
LONGEST = {6: 524, 7: 1098}
# Bytes of a compressed table whose checksum a core verifies in a second; see the page.
CHECKED = 1e9
# Plies of an endgame when all are solved.
TYPICAL = 200
GB, TB, HOUR = 1e9, 1e12, 3600


def processes(rows, model):
    heads = [
        "endgame", "processes", "seconds", "CPU s (model)", "CPU µs per position", "MiB, largest (model)", "MiB, all",
        "rounds", "packets", "MB sent (model)", "bytes per position",
    ]  # fmt: skip
    return table(heads, [
        [
            row["endgame"] if row["workers"] == 1 else "",
            f"{row['workers']}",
            f"{row['seconds']:.1f}",
            f"{row['cpu_seconds']:.1f} ({model.cpu_of(row):.1f})",
            f"{1e6 * row['cpu_seconds'] / Endgame(row['endgame']).positions():.2f}",
            f"{row['largest_kb'] / 1024:.0f} ({model.memory_of(row) / 2**20:.0f})",
            f"{row['all_kb'] / 1024:.0f}",
            f"{rounds(row['plies']) if row['workers'] > 1 else 0}",
            f"{row['packets']:,}",
            f"{row['wire_bytes'] / 1e6:.1f} ({model.bytes_of(row) / 1e6:.1f})",
            f"{row['wire_bytes'] / Endgame(row['endgame']).positions():.2f}",
        ]
        for row in rows
        if not row["hosts"]
    ])  # fmt: skip


def hosts(rows, model):
    heads = [
        "endgame", "hosts", "rate limit", "delay", "seconds (model)", "CPU s", "packets", "MB sent (model)",
        "bytes per position",
    ]  # fmt: skip
    return table(heads, [
        [
            row["endgame"],
            f"{row['hosts']}",
            f"{row['rate_mbit']:,g} Mbit/s" if row["rate_mbit"] else "no limit",
            f"{row['delay_ms']:g} ms" if row["delay_ms"] else "none",
            f"{row['seconds']:.1f} ({model.seconds_of(row):.1f})",
            f"{row['cpu_seconds']:.1f}",
            f"{row['packets']:,}",
            f"{row['wire_bytes'] / 1e6:.1f} ({model.bytes_of(row) / 1e6:.1f})",
            f"{row['wire_bytes'] / Endgame(row['endgame']).positions():.2f}",
        ]
        for row in rows
        if row["hosts"]
    ])  # fmt: skip


def constants(model):
    (part, pair), (plain, plain_pair) = model.bytes, model.bytes_as_they_are
    cell, ply, pawns, entry, per_round, packing, writing = model.cpu
    base, own, written, held = model.memory
    return table(["quantity", "constant"], [
        ["bytes of changes per cell and copy, compressed between hosts", f"{part:.2f}"],
        ["... uncompressed within a machine", f"{plain:.2f}"],
        ["additional bytes per round and pair of workers, between hosts", f"{pair:,.0f}"],
        ["... within a machine", f"{plain_pair:,.0f}"],
        ["bytes of a table per position, as it is sent: KBBvKN", f"{model.sent:.2f}"],
        ["... in its file", f"{model.packed:.2f}"],
        ["CPU ns per cell before the first ply", f"{1e9 * cell:.0f}"],
        ["... additionally with pawns", f"{1e9 * pawns:.0f}"],
        ["... for each ply", f"{1e9 * ply:.2f}"],
        ["CPU ns of compression per cell and copy", f"{1e9 * packing:.0f}"],
        ["CPU ns of writing per position and worker that writes", f"{1e9 * writing:.0f}"],
        ["CPU ns of reading per entry of the followers and worker", f"{1e9 * entry:.0f}"],
        ["CPU ms per round and worker", f"{1e3 * per_round:.1f}"],
        ["MiB per worker", f"{base / 2**20:.0f}"],
        ["... and bytes for each of its cells", f"{own:.2f}"],
        ["... for each position, if it writes", f"{written:.2f}"],
        ["... for each entry of the followers up to four men", f"{held:.2f}"],
        ["delays per round", f"{model.delays:.1f}"],
    ])  # fmt: skip


def sizes(model, by_men):
    heads = [
        "men", "endgames", "positions", "cells", "compressed", "largest", "its positions", "its frames",
        "endgames with at least 2^16 frames",
    ]  # fmt: skip
    rows = []
    for men, some in by_men.items():
        largest = max(some, key=Endgame.positions)
        positions = sum(endgame.positions() for endgame in some)
        rows.append([
            f"{men}",
            f"{len(some):,}",
            number(positions),
            number(sum(endgame.cells() for endgame in some)),
            bytes_of(model.packed * positions),
            largest.name,
            number(largest.positions()),
            f"{largest.frames():,}",
            f"{sum(endgame.frames() >= 2**16 for endgame in some):,}",
        ])  # fmt: skip
    return table(heads, rows)


def bytes_of(value):
    return f"{value / TB:,.3g} TB" if value >= TB else f"{float(f'{value / GB:.2g}'):,g} GB"


def short(value):
    """A number with two significant digits."""
    if value == 0:
        return "0"
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else f"{value:.2g}" if value >= 0.001 else "under 0.001"


def number(value):
    for name, size in (("10^12", 1e12), ("10^9", 1e9), ("10^6", 1e6)):
        if value >= size:
            return f"{value / size:,.3g} × {name}"
    return f"{value:,}"


class Estimate:
    """An endgame on several machines with one worker each."""

    def __init__(self, model, endgame, machines, plies):
        cells, behind = endgame.cells(), followers(endgame.name)
        copies = endgame.copies(machines)
        small = sum(other.positions() for other, _ in behind if other.men <= 4)
        large = sum(other.positions() for other, _ in behind if other.men > 4)
        near = sum(other.positions() for other, is_near in behind if is_near and other.men > 4)
        # Beyond 253 plies an entry takes two bytes.
        wide = 1 if plies > 253 else 0
        self.own = (model.memory[1] + wide) * cells / machines
        # Those that a move leads to are unpacked where they are looked up: in the end, all of them.
        self.followers = small + near
        self.on_disk = model.packed * (large + endgame.positions())
        self.written = model.memory[2] * endgame.positions()
        part, pair = model.bytes
        self.sent = part * copies * cells + pair * machines * (machines - 1) * rounds(plies)
        # One of them writes.
        self.sent += model.sent * endgame.positions() * (machines - 1) / machines
        cell, ply, pawns, entry, per_round, packing, writing = model.cpu
        analysis = cells * (cell + ply * plies + packing * copies + (pawns if endgame.has_pawns else 0))
        written = writing * endgame.positions()
        self.cpu = analysis + written
        self.reading = machines * (entry * small + model.packed * large / CHECKED)
        self.seconds = (analysis + self.reading) / machines / CORES + written / CORES + rounds(plies) * per_round
        self.sending = 8 * self.sent / machines / RATE_GBIT / GB
        self.seconds += self.sending + rounds(plies) * model.delays * DELAY_MS / 1000


def largest(model, by_men):
    heads = [
        "men", "endgame", "machines", "GB each: share", "GB each: followers", "GB more for writers",
        "GB on disk", "TB sent",
        "CPU hours: analysis, writing", "reading followers", "hours in all",
    ]  # fmt: skip
    rows = []
    for men, machines in ((6, 1), (6, 4), (6, 16), (7, 16), (7, 64), (7, 256)):
        endgame = max(by_men[men], key=Endgame.positions)
        of = Estimate(model, endgame, machines, LONGEST[men])
        rows.append([
            f"{men}", endgame.name, f"{machines}", f"{of.own / GB:,.0f}", f"{of.followers / GB:,.0f}",
            f"{of.written / GB:,.0f}", f"{of.on_disk / GB:,.0f}", short(of.sent / TB), f"{of.cpu / HOUR:,.0f}",
            f"{of.reading / HOUR:,.0f}", short(of.seconds / HOUR),
        ])  # fmt: skip
    return table(heads, rows)


def all_of(model, by_men):
    heads = [
        "men", "machines", "TB sent", "CPU years: analysis, writing", "reading followers", "days in all", "of which sending",
    ]  # fmt: skip
    rows = []
    for men, machines in ((5, 1), (6, 1), (6, 16), (7, 64), (7, 256)):
        estimates = [Estimate(model, endgame, machines, TYPICAL) for endgame in by_men[men]]
        sent, cpu, reading, seconds, sending = (
            sum(getattr(of, name) for of in estimates) for name in ("sent", "cpu", "reading", "seconds", "sending")
        )
        year = 365 * 24 * HOUR
        rows.append([
            f"{men}", f"{machines}", short(sent / TB), short(cpu / year), short(reading / year),
            short(seconds / HOUR / 24), short(sending / HOUR / 24),
        ])  # fmt: skip
    return table(heads, rows)


def main():
    machine, rows = read(sys.argv[1])
    model = Model(rows)
    by_men = {men: list(endgames(men)) for men in (5, 6, 7)}
    parts = {
        "machine": f"Measured on: {machine}.",
        "processes": processes(rows, model),
        "hosts": hosts(rows, model),
        "constants": constants(model),
        "sizes": sizes(model, by_men),
        "largest": largest(model, by_men),
        "all": all_of(model, by_men),
    }
    if len(sys.argv) < 3:
        print("\n\n".join(parts.values()))
        return
    page = pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = pattern.subn(lambda match: f"{match[1]}\n{part}\n\n{match[2]}", text)
        if found != 1:
            sys.exit(f"page.py: {page} has no place for {name}")
    page.write_text(text, encoding="utf-8")


main()
