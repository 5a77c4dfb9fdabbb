#!/usr/bin/env python3
"""Compares everything that lucena prints and writes with what it printed and wrote before a change: see README.md."""

import argparse
import difflib
import hashlib
import http.client
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

HERE = Path(__file__).resolve().parent
TEXTS = HERE / "texts"
LONGEST = 600  # The time limit of a command, in seconds.
# The size of an output, in bytes, up to which it is kept as text.
TEXT_SIZE = 4_000

# What differs from run to run, and its replacement.
STRUCK_OUT = [
    # JSON.
    (r'"((?:\w+_)?seconds|\w+_per_second)": ?[-+.\deE]+', r'"\1":0'),
    (r'"begun": ?\d+', '"begun":0'),
    # Sentences: "in 0.25 s, 448 lists a second".
    (r" +\d[\d,]{,9}(?:\.\d+)? s\b", " TIME s"),
    (r", [\d,.]+( lists| measures)? a second", r", RATE\1 a second"),
    # Logs, UCI.
    (r"(?m)^ +\d+\.\d+s ", "TIME "),
    (r"seconds=[\d.e-]+", "seconds=TIME"),
    (r" nodes (\d+)( nps \d+)?( tbhits \d+)? time \d+", r" nodes \1\3 time N"),
    # The last progress of a job, and the number of its drawings.
    (r'"progress":\{[^}]*\}', '"progress":null'),
    (r'"chart":\{[^}]*\}', '"chart":{}'),
    # The address of the page.
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
]


class Manifest:
    """The outputs so far, by name: small texts as they are, all others as checksums."""

    def __init__(self, lucena, scratch, keep):
        self.lucena, self.scratch, self.keep = lucena, scratch, keep
        self.texts, self.sums = {}, {}
        self.environment = {"PATH": f"{lucena.parent}:{os.environ['PATH']}", "LUCENA_CONFIG": ""}
        # The date in the games of a match: 2026-01-01.
        self.environment["SOURCE_DATE_EPOCH"] = "1767225600"
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"]:
            (scratch / variable).mkdir()
            self.environment[variable] = str(scratch / variable)
        told = subprocess.run([lucena, "--version"], env=self.environment, stdout=subprocess.PIPE, check=True).stdout
        version = told.decode().strip().removeprefix("lucena ")
        self.struck_out = [
            (re.escape(version), "VERSION"),
            # As in a manual page.
            (re.escape(version.replace("-", r"\-")), "VERSION"),
            (rf"(?<![\d.]){re.escape(version.split()[0])}(?![\d.])", "VERSION"),
            (re.escape(str(scratch)), "SCRATCH"),
            *STRUCK_OUT,
        ]

    def add(self, name, output):
        """Adds an output, without what differs from run to run."""
        shown, is_text = output, False
        try:
            text = output.decode()
            for pattern, instead in self.struck_out:
                text = re.sub(pattern, instead, text)
            output = without_time_columns(text).encode()
            # A line for each member of an object, so that differences are readable.
            shown = output.replace(b',"', b',\n"')
            is_text = len(shown) <= TEXT_SIZE
        except UnicodeDecodeError:
            pass
        if is_text:
            self.texts[name] = shown.decode()
        else:
            self.sums[name] = hashlib.sha256(output).hexdigest()
        if self.keep:
            short = re.sub(r"[^\w.+=-]+", "_", name)[:150]
            (self.keep / f"{short}.{hashlib.sha256(name.encode()).hexdigest()[:8]}").write_bytes(shown)

    def folder(self, name):
        """A new folder with a copy of the checked-in files of data; lucena writes everything else there."""
        for part in ["positions", "rules", "strategies", "trees", "weights"]:
            shutil.copytree(HERE.parent.parent / "data" / part, self.scratch / name / "data" / part)
        return self.scratch / name

    def run_paragraph(self, number, lines):
        folder = self.folder(f"paragraph{number}")
        for line in lines:
            if line.startswith("$ "):
                subprocess.run(line[2:], shell=True, cwd=folder, env=self.environment, check=True)
            else:
                self.run_command(folder, line)
        shutil.rmtree(folder)

    def run_command(self, folder, line):
        words, environment, stdin = shlex.split(line), dict(self.environment), b""
        while words and re.match(r"[A-Z_]+=", words[0]):
            name, value = words.pop(0).split("=", 1)
            environment[name] = value
        if words[-2:-1] == ["<<<"]:
            *words, _, text = words
            stdin = text.replace("\\n", "\n").encode()
        before = stamps(folder)
        pipes = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.PIPE)
        program = subprocess.Popen([self.lucena, *words], cwd=folder, env=environment, **pipes)
        ender = Timer(LONGEST, program.kill)
        ender.start()
        answered, stdin = (talk(program, stdin), b"") if words[:1] == ["uci"] else (b"", stdin)
        out, error = program.communicate(stdin)
        ender.cancel()
        if program.returncode < 0:
            print(f"ended by signal {-program.returncode}: {line}")
        told = b"exit code %d\n-- standard error\n%s-- standard output\n%s%s"
        self.add(line, told % (program.returncode, error, answered, out))
        for path, stamp in stamps(folder).items():
            if before.get(path) != stamp:
                self.add(f"{line} > {path}", (folder / path).read_bytes())

    def ask_page(self, questions):
        asked = {"cwd": self.folder("page"), "env": self.environment, "stdout": subprocess.PIPE}
        server = subprocess.Popen([self.lucena, "serve", "--port", "0"], **asked)
        try:
            said = server.stdout.readline()
            self.add("serve --port 0", said)
            for question in questions:
                self.add(question, ask(int(re.search(rb":(\d+)", said)[1]), question))
        finally:
            server.terminate()
            server.wait(LONGEST)


def talk(engine, said):
    """The answers of an engine. Each line is sent once the previous one has been answered."""
    answered, ends = [], {b"uci": b"uciok", b"isready": b"readyok", b"go": b"bestmove"}
    for line in said.splitlines(True):
        engine.stdin.write(line)
        engine.stdin.flush()
        end = ends.get(line.split()[0])
        while end and (heard := engine.stdout.readline()):
            answered.append(heard)
            if heard.startswith(end):
                break
    return b"".join(answered)


def ask(port, question):
    """The answers of a server. A request is repeated while a table is being solved."""
    method, path, body = (question + " ").split(" ", 2)
    headers, body = {}, body.strip()
    while header := re.match(r"([A-Za-z-]+):(\S+) ?", body):
        headers[header[1]], body = header[2], body[header.end() :]
    if body:
        headers.setdefault("Content-Type", "application/json")
    for _ in range(LONGEST * 20):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
        connection.request(method, path, body.encode(), headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 202:
            break
        time.sleep(0.05)
    if answer.headers.get_content_type() == "text/event-stream":
        # The number of events depends on timing; the last one has everything.
        content = content.strip().split(b"\n\n")[-1]
    headers = {name.lower(): value for name, value in answer.getheaders()}
    told = [f"{name}: {headers[name]}\n" for name in sorted(headers.keys() - {"content-length", "date"})]
    return f"{answer.status}\n{''.join(told)}\n".encode() + content


def without_time_columns(text):
    """Removes the columns with seconds and nodes per second from tables, in csv and in text."""
    lines, cut = text.split("\n"), None
    names = enumerate(lines[0].split(","))
    timed = {column for column, name in names if re.fullmatch(r"(\w+_)?seconds|\w+_per_second", name)}
    for number, line in enumerate(lines):
        if timed and number:
            fields = line.split(",")
            lines[number] = ",".join("" if column in timed else field for column, field in enumerate(fields))
        if not line or "  seconds     nodes/s" in line:
            cut = re.search("  seconds     nodes/s", line)
        if cut:
            lines[number] = line[: cut.start()] + line[cut.end() :]
    return "\n".join(lines)


def stamps(folder):
    """The files below a folder, each with its modification time and inode."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_ino) for path in files}


def expanded(line):
    """The lines that a line with {a,b} expands to."""
    choice = re.search(r"\{([\w./:=+-]*(?:,[\w./:=+-]*)+)\}", line)
    if not choice or line.startswith("$ "):
        return [line]
    parts = [line[: choice.start()] + part + line[choice.end() :] for part in choice[1].split(",")]
    return [whole for part in parts for whole in expanded(part)]


def paragraphs(path):
    """The lines of a file, by paragraph, without comments."""
    text = re.sub(r"(?m)^#.*\n", "", path.read_text())
    parts = [part.strip("\n").split("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]
    return [[whole for line in part for whole in expanded(line)] for part in parts]


def by_verb(texts):
    """The contents of the files of texts, by file name: one file for each verb, and one for the page."""
    files = {}
    for name, text in sorted(texts.items()):
        words = [word for word in name.split() if "=" not in word or word.startswith("-")] or ["lucena"]
        verb = "page" if words[0].isupper() else words[0].strip("-") if words[0].strip("-").isalpha() else "lucena"
        heading = name if words[0].isupper() else f"lucena {name}"
        body = text if text.endswith("\n") else f"{text}\n"
        files.setdefault(f"{verb}.txt", []).append(f"$ {heading}\n{body}\n")
    return {name: "".join(parts) for name, parts in files.items()}


def compare_texts(files, write):
    """Compares texts with the files in `texts`, and prints the differences, or writes the files; returns true if they are
    the same."""
    before = {path.name: path.read_text() for path in TEXTS.glob("*.txt")}
    if write:
        shutil.rmtree(TEXTS, ignore_errors=True)
        TEXTS.mkdir()
        for name, text in files.items():
            (TEXTS / name).write_text(text)
    for name in sorted(before.keys() | files.keys()):
        pair = [texts.get(name, "").splitlines() for texts in (before, files)]
        for line in difflib.unified_diff(*pair, f"before/{name}", f"after/{name}", lineterm="", n=2):
            print(line)
    return before == files


def compare(path, lines, write):
    """Compares lines, each ending in a name, with those of a file, or writes them; returns true if they are the same."""
    before, after = set(path.read_text().splitlines()), set(lines)
    if write:
        path.write_text("".join(f"{line}\n" for line in lines))
    lost, new = ({line.split("  ", 1)[-1] for line in some} for some in (before - after, after - before))
    for kind, names in [("changed", lost & new), ("lost", lost - new), ("new", new - lost)]:
        for name in sorted(names):
            print(f"{kind}: {name}")
    return before == after


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lucena", type=Path, metavar="LUCENA_BINARY")
    parser.add_argument("--write", action="store_true", help="write the texts and checksums, after comparing them")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the outputs in this folder")
    parser.add_argument("--tests", type=Path, metavar="LIST", help="the output of `cargo test -- --list`")
    arguments = parser.parse_args()
    first, *others = paragraphs(HERE / "cases.txt")
    questions = sum(paragraphs(HERE / "questions.txt"), [])
    names = [line for line in sum(others, first + questions) if not line.startswith("$ ")]
    if twice := {name for name in names if names.count(name) > 1}:
        sys.exit(f"these are there twice: {', '.join(sorted(twice))}")
    if arguments.keep:
        arguments.keep.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="lucena-manifest-") as scratch, ThreadPoolExecutor(2) as pool:
        manifest = Manifest(arguments.lucena.resolve(), Path(scratch).resolve(), arguments.keep)
        manifest.run_paragraph(0, first)
        work = [pool.submit(manifest.ask_page, questions)]
        work += [pool.submit(manifest.run_paragraph, *one) for one in enumerate(others, 1)]
        for done in work:
            done.result()
    sums = [f"{what}  {name}" for name, what in sorted(manifest.sums.items())]
    same = compare_texts(by_verb(manifest.texts), arguments.write)
    same &= compare(HERE / "sums.txt", sums, arguments.write)
    if arguments.tests:
        # Doctests are named by line numbers, which any change moves.
        listed = re.sub(r" \(line \d+\)( - compile( fail)?)?", "", arguments.tests.read_text())
        tests = re.findall(r"(?m)^(.+): (?:test|benchmark)$", listed)
        same &= compare(HERE / "tests.txt", sorted(set(tests)), arguments.write)
    outputs = f"{len(manifest.texts)} texts and {len(sums)} checksums of {len(names)} cases"
    print(f"{outputs}: {'all as before' if same else 'not all as before'}")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
