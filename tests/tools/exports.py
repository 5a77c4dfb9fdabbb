"""The output of `lucena show` for a tree, read by the tools that it is for, agrees with the tree.

    python exports.py LUCENA

Checked on every position of KRvK with the weak side to move, canonical and on the full board: source code in C,
Python, JavaScript and Rust, compiled and run by cc, python, node and rustc; the ONNX model, checked by onnx and
run by onnxruntime; the arrays, loaded into a tree of scikit-learn and evaluated by its predict. The expected
answers are computed here from the tree's JSON, node by node. The trees are cart with thresholds, and id3 with
tests by value, which has no answer for many positions of the full board. Graphviz draws the DOT, and
scikit-learn's export_text prints the same text.

Needs cc, node, rustc and dot, and the packages in requirements.txt beside this file.
"""

import csv
import ctypes
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from sklearn.tree import DecisionTreeClassifier, export_text
from sklearn.tree._tree import Tree

# The output of the programs below for no answer.
NONE = 255

NO_ANSWER = "no answer"

C_DRIVER = """
#include <stdio.h>
int main(void) {
    int values[COLUMNS];
    for (;;) {
        for (int i = 0; i < COLUMNS; i++) {
            int value = getchar();
            if (value == EOF) return 0;
            values[i] = value;
        }
        int answer;
        putchar(krvk_class(values, &answer) ? answer : 255);
    }
}
"""

RUST_DRIVER = """
use std::io::{Read, Write};
mod tree;
use tree::{Attributes, classify, classify_batch};
fn main() {
    const COLUMNS: usize = Attributes::NAMES.len();
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).unwrap();
    let (rows, rest) = bytes.as_chunks::<COLUMNS>();
    assert!(rest.is_empty());
    let mut together = vec![None; rows.len()];
    classify_batch(rows, &mut together);
    let number = |class: Option<tree::Class>| class.map_or(255, |class| class as u8);
    for (row, class) in rows.iter().zip(&together) {
        assert_eq!(classify(&Attributes::from(*row)), *class);
    }
    let answers: Vec<u8> = together.into_iter().map(number).collect();
    std::io::stdout().write_all(&answers).unwrap();
}
"""

JAVASCRIPT_DRIVER = """
import { readFileSync, writeSync } from "node:fs";
import { classify } from "./tree.mjs";
const rows = readFileSync(process.argv[2]);
const columns = Number(process.argv[3]);
const answers = new Uint8Array(rows.length / columns);
for (let row = 0; row < answers.length; row++) {
    const answer = classify(rows.subarray(row * columns, (row + 1) * columns));
    answers[row] = answer === null ? 255 : answer;
}
let at = 0;
while (at < answers.length) at += writeSync(1, answers, at);
"""


def fail(sentence):
    sys.exit(f"exports.py: {sentence}")


def run(command, **options):
    """The standard output of a command that must succeed and print nothing on standard error."""
    done = subprocess.run(command, capture_output=True, **options)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))} failed: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def read_rows(path):
    """The attributes as bytes, and the names of the columns."""
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    return numpy.array([row[:-1] for row in rows], dtype=numpy.uint8), header[:-1]


def expected(tree, rows):
    """The class of each row, directly from the nodes; NONE if there is none."""
    nodes = tree["nodes"]
    answers = numpy.full(len(rows), NONE, dtype=numpy.uint8)
    open_nodes = [(0, numpy.arange(len(rows)))]
    while open_nodes:
        number, here = open_nodes.pop()
        node = nodes[number]
        if "class" in node:
            answers[here] = node["class"]
            continue
        values = rows[here, node["attribute"]]
        if "at_most" in node:
            open_nodes.append((node["below"], here[values <= node["at_most"]]))
            open_nodes.append((node["above"], here[values > node["at_most"]]))
        else:
            for value, child in node["children"]:
                open_nodes.append((child, here[values == value]))
    return answers


def check(what, found, right):
    found = numpy.asarray(found)
    if found.shape != right.shape:
        fail(f"{what} gives {found.shape[0]} answers for {right.shape[0]} rows")
    wrong = numpy.flatnonzero(found != right)
    if len(wrong):
        at = wrong[0]
        fail(f"{what} answers {len(wrong)} rows wrongly, row {at} with {found[at]} for {right[at]}")


class Case:
    """One tree, the output of `lucena show` for it, and the expected answers."""

    def __init__(self, lucena, path, folder, rows):
        self.lucena, self.path, self.folder, self.rows = lucena, path, folder, rows
        folder.mkdir()
        self.tree = json.loads(path.read_text())
        self.right = expected(self.tree, rows)
        self.bytes = folder / "rows"
        self.bytes.write_bytes(rows.tobytes())
        names = [*self.tree["classes"], NO_ANSWER]
        self.names = numpy.array([names[min(answer, len(names) - 1)] for answer in self.right])

    def show(self, form, *options):
        return run([self.lucena, "show", self.path, "--format", form, *options])

    def source(self, form, name):
        path = self.folder / name
        path.write_bytes(self.show(form))
        return path

    def run_on_rows(self, what, command):
        with open(self.bytes, "rb") as rows:
            answers = run(command, stdin=rows)
        check(f"the {what} of {self.path.name}", numpy.frombuffer(answers, dtype=numpy.uint8), self.right)

    def c(self):
        source = self.source("c", "tree.c")
        strict = ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
        run([*strict, "-c", source, "-o", self.folder / "alone.o"])
        source.write_text(source.read_text() + C_DRIVER.replace("COLUMNS", str(self.rows.shape[1])))
        run([*strict, "-O1", source, "-o", self.folder / "c"])
        self.run_on_rows("C", [self.folder / "c"])

    def rust(self):
        self.source("rust", "tree.rs")
        main = self.folder / "main.rs"
        main.write_text(RUST_DRIVER)
        run(["rustc", "--edition=2024", "-Copt-level=1", main, "-o", self.folder / "rust"])
        self.run_on_rows("Rust", [self.folder / "rust"])

    def javascript(self):
        self.source("javascript", "tree.mjs")
        main = self.folder / "main.mjs"
        main.write_text(JAVASCRIPT_DRIVER)
        self.run_on_rows("JavaScript", ["node", main, self.bytes, str(self.rows.shape[1])])

    def python(self):
        spec = importlib.util.spec_from_file_location("tree", self.source("python", "tree.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if module.CLASSES != self.tree["classes"]:
            fail("the Python has other classes than the tree")
        answers = (module.classify(row) for row in self.rows.tolist())
        found = numpy.array([NONE if one is None else one for one in answers], dtype=numpy.uint8)
        check(f"the Python of {self.path.name}", found, self.right)

    def onnx(self):
        bytes = self.show("onnx")
        model = onnx.load_from_string(bytes)
        onnx.checker.check_model(model, full_check=True)
        if {one.key: one.value for one in model.metadata_props}["material"] != "KRvK":
            fail("the ONNX model does not say what it is about")
        session = onnxruntime.InferenceSession(bytes, providers=["CPUExecutionProvider"])
        label, probabilities = session.run(None, {"input": self.rows.astype(numpy.float32)})
        check(f"the ONNX model of {self.path.name}", label, self.names)
        classes = json.loads(session.get_modelmeta().custom_metadata_map["classes"])
        likeliest = numpy.array(classes)[probabilities.argmax(axis=1)]
        check(f"the probabilities of {self.path.name}", likeliest, self.names)
        if not (probabilities.sum(axis=1) == 1).all():
            fail("probabilities do not add up to 1")

    def scikit_learn(self):
        arrays = json.loads(self.show("arrays"))
        model = as_classifier(arrays)
        predicted = model.predict(self.rows.astype(numpy.float32))
        check(f"the arrays of {self.path.name}", predicted, self.names)
        for depth in (None, 1, 4):
            most = max(arrays["max_depth"], 1) if depth is None else depth - 1
            theirs = export_text(model, feature_names=arrays["feature_names"], max_depth=most)
            ours = self.show("export-text", *([] if depth is None else ["--max-depth", str(depth)]))
            if theirs != ours.decode():
                fail(f"export_text prints {self.path.name} to depth {depth} in another way")
        return arrays

    def graphviz(self):
        # All of it is parsed and counted, and a part is laid out.
        nodes, edges, *_ = run(["gc", "-n", "-e"], input=self.show("dot")).split()
        if (int(nodes), int(edges)) != (len(self.tree["nodes"]), len(self.tree["nodes"]) - 1):
            fail(f"Graphviz reads {int(nodes)} nodes and {int(edges)} edges, the tree has {len(self.tree['nodes'])} nodes")
        svg = run(["dot", "-Tsvg"], input=self.show("dot", "--max-depth", "5"))
        if svg.count(b'class="node"') < 30:
            fail("Graphviz draws hardly anything")


def as_classifier(arrays):
    """A classifier of scikit-learn with these arrays as its tree."""
    classes = numpy.array([arrays["n_classes"]], dtype=numpy.intp)
    # Fitted with two leaves, for the type of its nodes.
    small = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    nodes = numpy.zeros(arrays["node_count"], dtype=small.tree_.__getstate__()["nodes"].dtype)
    nodes["left_child"] = arrays["children_left"]
    nodes["right_child"] = arrays["children_right"]
    nodes["feature"] = arrays["feature"]
    nodes["threshold"] = arrays["threshold"]
    nodes["n_node_samples"] = arrays["n_node_samples"]
    nodes["weighted_n_node_samples"] = arrays["n_node_samples"]
    tree = Tree(arrays["n_features"], classes, arrays["n_outputs"])
    tree.__setstate__({
        "max_depth": arrays["max_depth"],
        "node_count": arrays["node_count"],
        "nodes": nodes,
        "values": numpy.array(arrays["value"], dtype=numpy.float64),
    })
    model = DecisionTreeClassifier()
    model.tree_ = tree
    model.classes_ = numpy.array(arrays["classes"])
    model.n_classes_ = arrays["n_classes"]
    model.n_outputs_ = arrays["n_outputs"]
    model.n_features_in_ = arrays["n_features"]
    return model


def check_samples(arrays, tree, canonical):
    """The counts are those of the canonical rows, and so are the shares of the classes."""
    if arrays["samples"] != "positions" or arrays["n_node_samples"][0] != len(canonical):
        fail(f"{arrays['n_node_samples'][0]} rows come to the root, there are {len(canonical)}")
    shares = numpy.bincount(expected(tree, canonical), minlength=arrays["n_classes"]) / len(canonical)
    if not numpy.allclose(arrays["value"][0][0], shares):
        fail("the shares at the root are not those of the canonical rows")


def rook_boards():
    """Kings that are not adjacent, and the rook elsewhere."""
    return [
        (king, other, rook)
        for king in range(64) for other in range(64) for rook in range(64)
        if len({king, other, rook}) == 3
        and max(abs(king % 8 - other % 8), abs(king // 8 - other // 8)) > 1
    ]


def check_strategy(lucena, root, folder):
    """The JavaScript of a strategy plays the same as its C, which strategy_code.rs compares with the
    strategy itself; its Python is checked on some boards."""
    strategy = root / "data" / "strategies" / "KRvK.smallest.json"
    for form, name in (("python", "strategy.py"), ("javascript", "strategy.mjs"), ("c", "strategy.c")):
        (folder / name).write_bytes(run([lucena, "show", strategy, "--format", form]))
    spec = importlib.util.spec_from_file_location("strategy", folder / "strategy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run(["cc", "-O2", "-shared", "-fPIC", "-o", folder / "strategy.so", folder / "strategy.c"])
    krvk_move = ctypes.CDLL(str(folder / "strategy.so")).krvk_move

    def in_c(board):
        origin, target, promotion = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        squares = (ctypes.c_int * 3)(*board)
        if not krvk_move(squares, ctypes.byref(origin), ctypes.byref(target), ctypes.byref(promotion)):
            return None
        return [origin.value, target.value, chr(promotion.value) if promotion.value else None]

    # Node takes a millisecond for a move: one in 27 of the
    # positions, or all if LUCENA_SLOW is set.
    step = 1 if os.environ.get("LUCENA_SLOW") else 27
    boards = rook_boards()[::step]
    main = folder / "main.mjs"
    main.write_text(
        'import { choose } from "./strategy.mjs";\n'
        'import { readFileSync } from "node:fs";\n'
        'const boards = JSON.parse(readFileSync(0, "utf8"));\n'
        "console.log(JSON.stringify(boards.map(choose)));\n"
    )
    moves = [in_c(board) for board in boards]
    theirs = json.loads(run(["node", main], input=json.dumps(boards).encode()))
    for board, move, right in zip(boards, theirs, moves, strict=True):
        if move != right:
            fail(f"on {board} the JavaScript of a strategy plays {move}, the C {right}")
    for board, right in list(zip(boards, moves))[::4]:
        move = module.choose(list(board))
        if (list(move) if move else None) != right:
            fail(f"on {board} the Python of a strategy plays {move}, the C {right}")
    return len(boards)


def check_measure(lucena, root, folder):
    """The JavaScript of a measure finds the same moves and scores as its C, which measure_code.rs compares with the
    measure itself; its Python is checked on some boards."""
    measure = root / "data" / "measures" / "KRvK.smallest.json"
    for form, name in (("python", "measure.py"), ("javascript", "measure.mjs"), ("c", "measure.c")):
        (folder / name).write_bytes(run([lucena, "show", measure, "--format", form]))
    spec = importlib.util.spec_from_file_location("measure", folder / "measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run(["cc", "-O2", "-shared", "-fPIC", "-o", folder / "measure.so", folder / "measure.c"])
    krvk_moves = ctypes.CDLL(str(folder / "measure.so")).krvk_moves

    def in_c(board):
        moves, score = (ctypes.c_int * 3 * 64)(), ctypes.c_int()
        count = krvk_moves((ctypes.c_int * 3)(*board), moves, ctypes.byref(score))
        tied = [[one[0], one[1], chr(one[2]) if one[2] else None] for one in moves[:count]]
        return [tied, score.value]

    boards = rook_boards()[:: 1 if os.environ.get("LUCENA_SLOW") else 27]
    main = folder / "main.mjs"
    main.write_text(
        'import { choose } from "./measure.mjs";\n'
        'import { readFileSync } from "node:fs";\n'
        'const boards = JSON.parse(readFileSync(0, "utf8"));\n'
        "console.log(JSON.stringify(boards.map(choose)));\n"
    )
    found = [in_c(board) for board in boards]
    theirs = json.loads(run(["node", main], input=json.dumps(boards).encode()))
    for board, answer, right in zip(boards, theirs, found, strict=True):
        if answer != right:
            fail(f"on {board} the JavaScript of a measure finds {answer}, the C {right}")
    # Python takes a second for a board.
    for board, right in list(zip(boards, found))[::600]:
        moves, score = module.choose(list(board))
        if [[list(move) for move in moves], score] != right:
            fail(f"on {board} the Python of a measure finds {moves}, the C {right}")
    return len(boards)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: exports.py LUCENA")
    for tool, package in (("cc", "gcc"), ("node", "nodejs"), ("dot", "graphviz"), ("gc", "graphviz"), ("rustc", "a Rust toolchain")):
        if shutil.which(tool) is None:
            fail(f"{tool} is missing: install {package}")
    lucena = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        parts = []
        for positions in ("canonical", "full"):
            path = folder / f"{positions}.csv"
            run([lucena, "dataset", "KRvK", "--positions", positions, "--attributes", "geometric", "--out", path])
            parts.append(read_rows(path)[0])
        canonical, rows = parts[0], numpy.concatenate(parts)
        id3 = folder / "id3.json"
        run([lucena, "learn", "KRvK", "--learner", "id3", "--out", id3])
        for number, path in enumerate((root / "data" / "trees" / "KRvK.cart.json", id3)):
            case = Case(lucena, path, folder / str(number), rows)
            if (case.right == NONE).any() != (path == id3):
                fail(f"{path.name} is not the tree that it should be")
            case.c()
            case.rust()
            case.javascript()
            case.python()
            case.onnx()
            check_samples(case.scikit_learn(), case.tree, canonical)
            case.graphviz()
        boards = check_strategy(lucena, root, folder)
        measured = check_measure(lucena, root, folder)
    print(
        f"exports: C, Python, JavaScript, Rust, ONNX and scikit-learn's arrays answer {len(rows):,} rows of KRvK as "
        f"a cart and an id3 tree do; export_text and Graphviz accept them; a strategy's JavaScript plays {boards:,} positions "
        f"as its C does; a measure's JavaScript finds the moves of its C in {measured:,}"
    )


if __name__ == "__main__":
    main()
