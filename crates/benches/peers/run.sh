#!/usr/bin/env bash
# The same tasks done by lucena and by widely used tools, in one run; prints one table.
#
#     run.sh [--five-men] [learning] [tables] [probes] [sizes]
#
# Without a name, all four groups of tasks. PYTHON, JAVA, WEKA_JAR, GENERATOR, FATHOM and CHESSTB locate the peers.
# See README.md beside this file.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../../.." && pwd)
python=${PYTHON:-python3}
java=${JAVA:-java}
weka_jar=${WEKA_JAR:-/usr/share/java/weka.jar}
lucena=${LUCENA:-${CARGO_TARGET_DIR:-$root/target}/release/lucena}
rounds=${ROUNDS:-3}
# The source tree stays as it is.
export PYTHONDONTWRITEBYTECODE=1
export THREADS=${THREADS:-1}

endgames="KBNvK KQvKR KRvKN KRvKB KPvK KRPvK KPvKP KPPvK"
with_all="KBNvK KRvKN KPvK KRPvK"
probed="KBBvKN"
sizes="KRvK+KQvK+KPvK KBNvK KRvKN KRPvK"
groups=()
for argument; do
    case $argument in
    learning | tables | probes | sizes) groups+=("$argument") ;;
    --five-men)
        endgames+=" KBBvKN KRPvKR"
        with_all+=" KBBvKN"
        probed+=" KRPvKR"
        sizes+=" KBBvKN"
        ;;
    *)
        echo "usage: run.sh [--five-men] [learning] [tables] [probes] [sizes]" >&2
        exit 2
        ;;
    esac
done
if ((${#groups[@]} == 0)); then
    groups=(learning tables probes sizes)
fi

missing=0
lacks() {
    echo "run.sh: missing: $1" >&2
    echo "        install: $2" >&2
    missing=1
}

require_modules() {
    for module; do
        if ! "$python" -c "import $module" 2>/dev/null; then
            lacks "the Python module $module for $python" \
                "pip install -r crates/benches/peers/requirements.txt in a venv, and set PYTHON to its python"
        fi
    done
}

require_time() {
    if ! "$(type -P time)" --version &>/dev/null; then
        lacks "GNU time" "apt-get install time"
    fi
}

# require_built VARIABLE ADDRESS FILE...
require_built() {
    local variable=$1 address=$2
    for file in "${@:3}"; do
        if [[ ! -f ${!variable:-}/$file ]]; then
            lacks "$file of $address" "build it as its README says, and set $variable to its folder"
        fi
    done
}

require_learning() {
    require_modules sklearn chess onnx onnxruntime
    if ! command -v "$java" >/dev/null; then
        lacks "$java" "apt-get install default-jdk-headless, or set JAVA to a JDK's java"
    elif ! "$java" --list-modules 2>/dev/null | grep '^jdk\.compiler@' >/dev/null; then
        lacks "the compiler module of $java: it is no JDK, or older than 11" \
            "apt-get install default-jdk-headless, or set JAVA to a JDK's java"
    fi
    if [[ ! -f $weka_jar ]]; then
        lacks "Weka at $weka_jar" "apt-get install weka, or set WEKA_JAR to a weka.jar of version 3.6"
    fi
}

require_tables() {
    require_time
    require_built GENERATOR https://github.com/syzygy1/tb rtbgen rtbgenp
}

require_probes() {
    require_time
    require_modules chess
    require_built FATHOM https://github.com/jdart1/Fathom libfathom.so src/tbprobe.h
    if ! command -v cc >/dev/null; then
        lacks "cc" "apt-get install gcc"
    fi
}

require_sizes() {
    require_built CHESSTB https://github.com/noobpwnftw/chesstb chesstb shrink
}

if ! command -v cargo >/dev/null; then
    lacks "cargo" "a Rust toolchain, with rustup"
fi
if ! command -v "$python" >/dev/null; then
    lacks "$python" "apt-get install python3 python3-venv, or set PYTHON to an interpreter"
else
    for group in "${groups[@]}"; do
        "require_$group"
    done
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

prepare_learning() {
    in_root cargo bench --quiet --no-run --bench peer_times
    "$lucena" dataset KRvK --positions canonical --attributes geometric --out "$csv" >&2
    "$lucena" show "$root/data/trees/KRvK.cart.json" --format onnx >"$results/krvk.onnx"
}

lucena_learning() {
    measure lucena "$1" in_root cargo bench --quiet --bench peer_times -- "$csv"
}

peers_learning() {
    measure sklearn "$1" "$python" "$here/sklearn_tree.py" "$csv"
    measure weka "$1" \
        "$java" -Djava.awt.headless=true -cp "$weka_jar" "$here/WekaId3.java" "$csv"
    measure onnxruntime "$1" "$python" "$here/onnxruntime_tree.py" "$csv" "$results/krvk.onnx"
    measure python_chess "$1" "$python" "$here/python_chess_positions.py"
}

# solve_tables TOOL PROGRAM [--prepare]
solve_tables() {
    "$python" "$here/solve_tables.py" "$1" "$2" "$results/hand" "$endgames" "$with_all" "${@:3}"
}

prepare_tables() {
    mkdir -- "$results/hand"
    measure at_hand lucena solve_tables lucena "$lucena" --prepare
    measure at_hand generator solve_tables generator "$GENERATOR" --prepare
}

lucena_tables() {
    measure lucena_tables "$1" solve_tables lucena "$lucena"
}

peers_tables() {
    measure generator "$1" solve_tables generator "$GENERATOR"
}

prepare_probes() {
    export FATHOM
    FATHOM=$(cd -- "$FATHOM" && pwd)
    cc -O2 -I"$FATHOM/src" -o "$results/fathom_probe" "$here/fathom_probe.c" \
        -L"$FATHOM" -lfathom -Wl,-rpath,"$FATHOM"
    for material in $probed; do
        echo "run.sh: Syzygy files of $material" >&2
        "$lucena" --quiet solve "$material" --class dtz --tables "$results/probed" \
            --out-syzygy "$results/syzygy" >/dev/null
    done
    # shellcheck disable=SC2086 # The names are words.
    "$python" "$here/probe_tables.py" positions 100000 $probed >"$results/fens"
}

# probe_tables TOOL PROGRAM [dtz]
probe_tables() {
    "$python" "$here/probe_tables.py" "$1" "$2" "$results/syzygy" "$results/fens" "${@:3}"
}

lucena_probes() {
    measure lucena_probe "$1" probe_tables lucena "$lucena"
}

peers_probes() {
    measure fathom "$1" probe_tables fathom "$results/fathom_probe"
    measure fathom_dtz "$1" probe_tables fathom "$results/fathom_probe" dtz
    measure python_chess_probe "$1" probe_tables python_chess -
}

# Sizes do not drift: once is enough.
prepare_sizes() {
    # shellcheck disable=SC2086
    measure lucena_sizes 1 "$python" "$here/table_sizes.py" lucena "$lucena" $sizes
    # shellcheck disable=SC2086
    measure chesstb 1 "$python" "$here/table_sizes.py" chesstb "$CHESSTB" $sizes
}

lucena_sizes() { :; }

peers_sizes() { :; }

if [[ -z ${LUCENA:-} ]]; then
    in_root cargo build --quiet --release --bin lucena
fi
for group in "${groups[@]}"; do
    "prepare_$group"
done
# Machines drift, so the tools take turns, and lucena is measured first and last.
for group in "${groups[@]}"; do
    for ((round = 1; round <= rounds; round++)); do
        "lucena_$group" "$round"
        "peers_$group" "$round"
    done
    "lucena_$group" "$round"
done

"$python" "$here/table.py" "$results" "${groups[@]}"
