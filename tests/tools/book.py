#!/usr/bin/env python3
"""Runs the commands of the book that need other programs, files or a toolchain.

  book.py LUCENA

These are the `sh` blocks in docs/; tests/docs/pages.rs runs the consoles. `cargo install --path . --features full`
comes first, and the installed program runs the others, in a folder with the project's data and a file of games.
Commands that solve or count all of KRPvKR take up to an hour and are named at the end instead.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LONG = re.compile(r"KRPvKR|1K1k4/1P6")  # the endgame, and the position of Lucena
FAULTY_RULES = 1  # what `rules --check` exits with after a full report of rules that have exceptions


def run(command, folder, environment):
    accepted = [0, FAULTY_RULES] if command.startswith("lucena rules --check") else [0]
    ran = subprocess.run(
        ["bash", "-euc", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if ran.returncode not in accepted:
        sys.exit(f"book: {command.strip()}\nexits with {ran.returncode}: {ran.stderr.strip()}")


def serve(command, folder, environment):
    """Starts a server for the requests of the following blocks."""
    server = subprocess.Popen(
        command.split(), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    if "http://" not in server.stdout.readline():
        sys.exit(f"book: {command.strip()}\nprints no address")
    return server


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: book.py LUCENA")
    blocks = [block for page in sorted(ROOT.glob("docs/*.md")) for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    installs = [block for block in blocks if "cargo install" in block]
    others = [block for block in blocks if block not in installs]
    if len(installs) != 1 or not others:
        sys.exit("book: one block installs the program, others run it: the pages have changed")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        installed, work = folder / "installed", folder / "work"
        environment = dict(os.environ, CARGO_INSTALL_ROOT=str(installed), XDG_CACHE_HOME=str(folder / "cache"))
        environment.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))
        run(installs[0], ROOT, environment)
        environment["PATH"] = os.pathsep.join([str(installed / "bin"), environment["PATH"], "/usr/games"])
        shutil.copytree(ROOT / "data", work / "data")
        run("lucena match exact theory --from '8/8/8/3k4/8/8/8/K6R w' --games 4 --pgn games.pgn", work, environment)
        servers, long = [], []
        try:
            for block in others:
                if block.startswith("lucena serve"):
                    servers.append(serve(block, work, environment))
                else:
                    for command in block.splitlines():
                        if LONG.search(command):
                            long.append(command)
                        else:
                            run(command, work, environment)
        finally:
            for server in servers:
                server.kill()
                server.wait()
    print(f"book: {len(blocks)} blocks of commands run, without those that take long:", *long, sep="\n  ")


main()
