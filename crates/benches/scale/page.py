#!/usr/bin/env python3
"""Prints the measurements, the fitted model and its predictions for more men, as tables in Markdown.

    page.py measured.csv                   prints them
    page.py measured.csv docs/scale.md     writes them between the marks of that page
"""

import pathlib
import re
import sys

from endgames import Endgame, endgames, king_pairs
from model import Model, dot, followers, known, moves, terms
from table import read, table

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
            f"{row['rounds']}",
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
    changes, plain, solved, pair, plain_pair = model.bytes
    cell, ply, noted, packing, writing, entry = model.cpu
    base, own, written, held = model.memory
    return table(["quantity", "constant"], [
        ["bytes of changes per cell with the weak side to move and copy, compressed between hosts", f"{changes:.2f}"],
        ["... uncompressed within a machine", f"{plain:.2f}"],
        ["bytes of solved blocks per cell and recipient", f"{solved:.2f}"],
        ["additional bytes per round and pair of workers, between hosts", f"{pair:,.0f}"],
        ["... within a machine", f"{plain_pair:,.0f}"],
        ["bytes of a table file per position: KBBvKN", f"{model.packed:.2f}"],
        ["CPU ns per cell before the first ply", f"{1e9 * cell:.0f}"],
        ["... for each ply", f"{1e9 * ply:.2f}"],
        ["... for checkpoints", f"{1e9 * noted:.0f}"],
        ["CPU ns of compression per cell sent", f"{1e9 * packing:.0f}"],
        ["CPU ns of writing per position and worker that writes", f"{1e9 * writing:.0f}"],
        ["CPU ns of reading per entry of the followers and worker", f"{1e9 * entry:.0f}"],
        ["MiB per worker", f"{base / 2**20:.0f}"],
        ["... and bytes for each byte of the analysis", f"{own:.2f}"],
        ["... or for each byte of writing", f"{written:.2f}"],
        ["... and for each entry of the followers up to four men", f"{held:.2f}"],
        ["delays per round", f"{model.delays:.1f}"],
    ])  # fmt: skip


def sizes(model, by_men):
    heads = [
        "men", "endgames", "positions", "cells", "compressed", "largest", "its positions", "its cells", "its levels",
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
            number(largest.cells()),
            f"{sum(largest.levels.values()):,}",
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


def rounds_of(endgame, plies):
    """The rounds of all levels, if each has mates as long as the endgame."""
    # The initial blocks, the mates, each ply of the longest mate, and a last round that decides nothing.
    return (plies + 3) * sum(endgame.levels.values())


class Estimate:
    """An endgame on several machines with one worker each, one of which writes."""

    def __init__(self, model, endgame, machines, plies):
        near = [(known(name), promotes) for name, promotes in moves(endgame.name).items()]
        near = [(other, promotes) for other, promotes in near if other.men > 4]
        behind = [known(name) for name in followers(endgame.name)]
        small = sum(other.positions() for other in behind if other.men <= 4)
        large = sum(other.positions() for other in behind if other.men > 4)
        rounds = rounds_of(endgame, plies) if machines > 1 else 0
        found = terms(endgame, machines, 1, True, plies, rounds, small)
        # Beyond 253 plies an entry takes two bytes.
        width = 1 if plies <= 253 else 2
        self.own = model.memory[1] * endgame.memory_at_work(machines, width)
        self.written = max(model.memory[2] * endgame.memory_to_pack(width) - self.own, 0)
        # A worker needs the followers with the strong king on the squares of its blocks.
        squares = endgame.squares(machines)
        used = squares * sum(other.positions() for other, _ in near)
        self.followers = model.memory[3] * small + model.packed * used
        self.followers += sum(in_order(endgame, *other, squares) for other in near)
        self.on_disk = model.packed * (large + endgame.positions())
        self.sent = dot(model.bytes, found["bytes"])
        *analysis, writing, entry = model.cpu
        analysis, written = dot(analysis, found["cpu"]), writing * endgame.positions()
        self.cpu = analysis + written
        self.reading = machines * (entry * (small + used) + model.packed * large / CHECKED)
        self.sending = 8 * self.sent / machines / RATE_GBIT / GB
        self.seconds = (analysis * endgame.share(machines) + written + self.reading / machines) / CORES
        self.seconds += self.sending + rounds * model.delays * DELAY_MS / 1000


def in_order(endgame, follower, promotes, squares):
    """The bytes of a follower by frame, with one side to move and the strong king on a share of the squares."""
    # If there is only one pawn, it promotes in a single level, which takes one square of the strong king at a time.
    if promotes and endgame.others.count("P") == 1:
        squares = 1 / len({strong for strong, _ in king_pairs(follower.has_pawns)})
    return squares * follower.cells() / 2


def largest(model, by_men):
    heads = [
        "men", "endgame", "machines", "GB each: share", "GB each: followers", "GB more for writers",
        "GB on disk", "TB sent",
        "CPU hours: analysis, writing", "reading followers", "hours in all",
    ]  # fmt: skip
    rows = []
    for men, has_pawns, counts in ((6, True, (1, 4, 16)), (6, False, (1, 4)), (7, True, (16, 64)), (7, False, (10,))):
        some = (endgame for endgame in by_men[men] if endgame.has_pawns == has_pawns)
        endgame = max(some, key=Endgame.positions)
        for machines in counts:
            of = Estimate(model, endgame, machines, LONGEST[men])
            rows.append([
                f"{men}", endgame.name, f"{machines}", f"{of.own / GB:,.0f}", f"{of.followers / GB:,.0f}",
                f"{of.written / GB:,.0f}", f"{of.on_disk / GB:,.0f}", short(of.sent / TB), f"{of.cpu / HOUR:,.0f}",
                f"{of.reading / HOUR:,.0f}", short(of.seconds / HOUR),
            ])  # fmt: skip
    return table(heads, rows)


def all_of(model, by_men):
    heads = [
        "men", "machines", "GB each, at most", "of a writer", "GB on disk, at most", "TB sent",
        "CPU years: analysis, writing", "reading followers", "days in all", "of which sending",
    ]  # fmt: skip
    rows = []
    for men, machines in ((5, 1), (6, 1), (6, 16), (7, 64)):
        estimates = [Estimate(model, endgame, machines, TYPICAL) for endgame in by_men[men]]
        sent, cpu, reading, seconds, sending = (
            sum(getattr(of, name) for of in estimates) for name in ("sent", "cpu", "reading", "seconds", "sending")
        )
        memory = max(of.own + of.followers for of in estimates)
        of_writer = max(of.own + of.followers + of.written for of in estimates)
        on_disk = max(of.on_disk for of in estimates)
        year = 365 * 24 * HOUR
        rows.append([
            f"{men}", f"{machines}", short(memory / GB), short(of_writer / GB), short(on_disk / GB), short(sent / TB),
            short(cpu / year), short(reading / year), short(seconds / HOUR / 24), short(sending / HOUR / 24),
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
