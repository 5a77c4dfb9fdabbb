"""Solve endgames and save them, as processes, and print one JSON object.

    python solve_tables.py lucena PROGRAM HAND ENDGAMES WITH_ALL
    python solve_tables.py generator FOLDER HAND ENDGAMES WITH_ALL
    python solve_tables.py lucena PROGRAM HAND ENDGAMES WITH_ALL --prepare

ENDGAMES and WITH_ALL are names with spaces between them. The smaller tables that the ENDGAMES lead to are at hand:
lucena's in HAND/ENDGAME, the generator's in HAND/syzygy. `--prepare` makes them, once for each tool and
lucena first. The endgames of WITH_ALL are solved from nothing as well, and Syzygy files are written of them and of all
that they lead to: lucena does so in one process, the generator with one for each endgame. THREADS is the number of
threads of both.
"""

import argparse
import json
import os
import pathlib
import re
import tempfile

from process import bytes_of, in_turn, measured, revision

OUTCOMES = ("wins", "cursed wins", "draws", "cursed losses", "losses")
THREADS = os.environ.get("THREADS", "1")


class Lucena:
    def __init__(self, program, hand):
        self.program, self.hand = program, hand

    def run(self, material, metric, tables, *options):
        """Solves, and returns the measurement and the numbers of positions with each outcome, up to symmetry."""
        with tempfile.NamedTemporaryFile() as report:
            command = [self.program, "--quiet", "solve", material, "--class", metric, "--tables", tables,
                       "--format", "json", *options]
            run = measured(command, report.name, {"RAYON_NUM_THREADS": THREADS})
            solved = json.load(report)
        counts = {}
        for turn in ("white", "black"):
            side = solved[f"{turn}_to_move"]
            won, cursed, drawn, blessed, lost = (
                side[f"canonical_{outcome}"] or 0
                for outcome in ("won", "cursed_won", "drawn", "blessed_lost", "lost")
            )
            counts[turn] = dict(zip(OUTCOMES, (won - cursed, cursed, drawn, blessed, lost - blessed)))
        return run, counts

    def prepare(self, materials):
        for material in materials:
            for metric in ("dtz", "dtm"):
                self.run(material, metric, self.hand / material)

    def measure(self, material):
        found = {}
        for metric, name in (("dtz", f"{material}.dtz.table"), ("dtm", f"{material}.table")):
            table = self.hand / material / name
            table.unlink()
            run, counts = self.run(material, metric, table.parent)
            found[metric] = {**run, "file_bytes": table.stat().st_size, "outcomes": counts}
        return found

    def measure_all(self, material):
        with tempfile.TemporaryDirectory() as folder:
            files = pathlib.Path(folder, "files")
            run, _ = self.run(material, "dtz", f"{folder}/tables", "--out-syzygy", files)
            return {**run, "file_bytes": bytes_of(files, "*.rtb?"), "files": len(list(files.iterdir()))}


class Generator:
    def __init__(self, program, hand):
        self.program, self.hand = pathlib.Path(program).resolve(), hand

    def run(self, material, folder, tables, *options, threads=THREADS):
        program = self.program / ("rtbgenp" if "P" in material else "rtbgen")
        with tempfile.NamedTemporaryFile("r") as report:
            run = measured([program, "--threads", threads, *options, material], report.name,
                           {"RTBPATH": str(tables)}, cwd=folder)
            # The last table of numbers is of the whole endgame; those before it are of single files.
            text = report.read().rpartition("##########")[2]
        sides = zip(("white", "black"), text.split("Black to move:"))
        counts = {}
        for turn, side in sides:
            found = {outcome: int(number) for number, outcome in re.findall(r"(\d+) positions are (.+)\.", side)}
            counts[turn] = {outcome: found.get(outcome, 0) for outcome in OUTCOMES}
        return run, counts

    def led_to(self, material):
        """The endgame and those that it leads to, each after those that it leads to itself."""
        names = (path.name.partition(".")[0] for path in (self.hand / material).glob("*.dtz.table"))
        return sorted(names, key=lambda name: (len(name), name.count("P"), name))

    def prepare(self, materials):
        folder = self.hand / "syzygy"
        folder.mkdir()
        for name in dict.fromkeys(name for material in materials for name in self.led_to(material)):
            self.run(name, folder, folder, "--wdl", threads=str(os.cpu_count()))

    def measure(self, material):
        found = {}
        for what, options in (("files", ()), ("generated", ("-g",))):
            with tempfile.TemporaryDirectory() as folder:
                run, counts = self.run(material, folder, self.hand / "syzygy", *options)
                found[what] = {**run, "file_bytes": bytes_of(folder, "*.rtb?"), "outcomes": counts}
        return found

    def measure_all(self, material):
        with tempfile.TemporaryDirectory() as folder:
            runs = [self.run(name, folder, folder)[0] for name in self.led_to(material)]
            return {**in_turn(runs), "file_bytes": bytes_of(folder, "*.rtb?"), "files": 2 * len(runs)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", choices=("lucena", "generator"))
    parser.add_argument("program")
    parser.add_argument("hand", type=pathlib.Path)
    parser.add_argument("endgames", type=str.split)
    parser.add_argument("with_all", type=str.split)
    parser.add_argument("--prepare", action="store_true")
    arguments = parser.parse_args()
    tool = {"lucena": Lucena, "generator": Generator}[arguments.tool](arguments.program, arguments.hand.resolve())
    if arguments.prepare:
        tool.prepare(arguments.endgames)
        return
    print(json.dumps({
        "version": revision(arguments.program),
        "threads": THREADS,
        "endgames": {material: tool.measure(material) for material in arguments.endgames},
        "with_all": {material: tool.measure_all(material) for material in arguments.with_all},
    }))


if __name__ == "__main__":
    main()
