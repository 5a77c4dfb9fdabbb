#!/usr/bin/env bash
# The same tasks done by lucena and by widely used tools, in one run; prints one table.
# PYTHON, JAVA and WEKA_JAR locate the peers. See README.md beside this file.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../../.." && pwd)
python=${PYTHON:-python3}
java=${JAVA:-java}
weka_jar=${WEKA_JAR:-/usr/share/java/weka.jar}
rounds=3

missing=0
lacks() {
    echo "run.sh: missing: $1" >&2
    echo "        install: $2" >&2
    missing=1
}

if ! command -v cargo >/dev/null; then
    lacks "cargo" "a Rust toolchain, with rustup"
fi
if ! command -v "$python" >/dev/null; then
    lacks "$python" "apt-get install python3 python3-venv, or set PYTHON to an interpreter"
else
    for module in sklearn chess onnx onnxruntime; do
        if ! "$python" -c "import $module" 2>/dev/null; then
            lacks "the Python module $module for $python" \
                "pip install -r crates/benches/peers/requirements.txt in a venv, and set PYTHON to its python"
        fi
    done
fi
if ! command -v "$java" >/dev/null; then
    lacks "$java" "apt-get install default-jdk-headless, or set JAVA to a JDK's java"
elif ! "$java" --list-modules 2>/dev/null | grep '^jdk\.compiler@' >/dev/null; then
    lacks "the compiler module of $java: it is no JDK, or older than 11" \
        "apt-get install default-jdk-headless, or set JAVA to a JDK's java"
fi
if [[ ! -f $weka_jar ]]; then
    lacks "Weka at $weka_jar" "apt-get install weka, or set WEKA_JAR to a weka.jar of version 3.6"
fi
if ((missing)); then
    exit 1
fi

results=$(mktemp -d)
trap 'rm -rf -- "$results"' EXIT
csv=$results/krvk.csv

# cargo reads its configuration from the working directory, hence from the root.
in_root() {
    (cd -- "$root" && "$@")
}

# measure NAME ROUND COMMAND...: its standard output is the measurement; its other output is shown
# only when it fails.
measure() {
    local name=$1 round=$2
    shift 2
    echo "run.sh: $name, run $round" >&2
    if ! "$@" >"$results/$name-$round.json" 2>"$results/$name-$round.log"; then
        cat -- "$results/$name-$round.log" >&2
        echo "run.sh: $name failed" >&2
        exit 1
    fi
}

measure_lucena() {
    measure lucena "$1" in_root cargo bench --quiet --bench peer_times -- "$csv"
}

in_root cargo build --quiet --release --bin lucena
in_root cargo bench --quiet --no-run --bench peer_times
in_root cargo run --quiet --release --bin lucena -- \
    dataset KRvK --positions canonical --attributes geometric --out "$csv" >&2
in_root cargo run --quiet --release --bin lucena -- \
    show data/trees/KRvK.cart.json --format onnx >"$results/krvk.onnx"

# Machines drift, so the tools take turns, and lucena is measured first and last.
for ((round = 1; round <= rounds; round++)); do
    measure_lucena "$round"
    measure sklearn "$round" "$python" "$here/sklearn_tree.py" "$csv"
    measure weka "$round" \
        "$java" -Djava.awt.headless=true -cp "$weka_jar" "$here/WekaId3.java" "$csv"
    measure onnxruntime "$round" "$python" "$here/onnxruntime_tree.py" "$csv" "$results/krvk.onnx"
    measure python_chess "$round" "$python" "$here/python_chess_positions.py"
done
measure_lucena "$round"

"$python" "$here/table.py" "$results"
