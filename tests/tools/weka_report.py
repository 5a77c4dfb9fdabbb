#!/usr/bin/env python3
"""Weka's report of a tree's answers equals the output of `lucena learn --report weka`, character by character.

  weka_report.py LUCENA

Needs a Java that runs source files, and weka.jar (WEKA_JAR; Debian's package weka has it in /usr/share/java).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
HERE = pathlib.Path(__file__).resolve().parent


def run(*command):
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"weka_report: {command[0]} exits with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def expect(holds, sentence):
    if not holds:
        sys.exit(f"weka_report: {sentence}")


def arff(judged):
    """Rows that give the confusion matrix: the answer and the class."""
    names = [row["class"] for row in judged["classes"]]
    kinds = "{" + ",".join(names) + "}"
    lines = ["@relation answers", f"@attribute answer {kinds}", f"@attribute class {kinds}", "@data"]
    for row, counts in zip(judged["classes"], judged["confusion"]):
        for answer, count in zip([*names, "?"], [*counts, row["unanswered"]]):
            lines += [f"{answer},{row['class']}"] * count
    return "\n".join(lines) + "\n"


def check(lucena, folder, *options):
    asked = [lucena, "learn", "KRvK", "--folds", "3", *options]
    printed = run(*asked, "--report", "weka").split("On orbits it has not seen")[1]
    judged = json.loads(run(*asked, "--format", "json"))["cross_validation"]
    file = folder / "answers.arff"
    file.write_text(arff(judged))
    command = ["java", "-Djava.awt.headless=true", "-cp", JAR, str(HERE / "WekaReport.java"), str(file)]
    summary, classes, matrix = run(*command).split("---\n")
    # lucena's report omits the figures that need probabilities.
    counted = [line for line in summary.splitlines() if line.startswith(("Correct", "Incorrect", "Kappa", "Un", "Total"))]
    expect("\n".join(counted) in printed, f"the summary is not Weka's:\n{summary}\nagainst{printed}")
    # Before version 3.8, Weka prints 0 instead of ? if a class was never answered.
    details = printed.split("MCC      Class\n")[1].splitlines()
    for line, row, expected in zip(details, judged["classes"], classes.splitlines()):
        found = " ".join(line.split()[:5]).replace("?", "0.000")
        expect(found == expected.replace("NaN", "0.000"), f"{row['class']} is {found}, to Weka {expected}")
    expect(matrix in printed, f"the confusion matrix is not Weka's:\n{matrix}\nagainst{printed}")
    return judged["rows"]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: weka_report.py LUCENA")
    expect(os.path.exists(JAR), f"there is no {JAR}: install Weka, or name its weka.jar in WEKA_JAR")
    lucena = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as path:
        rows = check(lucena, pathlib.Path(path), "--max-depth", "8")
        # A tree of id3 has no answer for a value that it has never seen.
        rows += check(lucena, pathlib.Path(path), "--learner", "id3")
    print(f"weka_report: Weka prints the same summary, classes and matrix of {rows:,} answers")
