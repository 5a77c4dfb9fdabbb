#!/usr/bin/env bash
# Runs every fuzz target with so many inputs: fuzz/run.sh 10000000
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:?how many inputs, as in: fuzz/run.sh 100000}
export RUSTC_BOOTSTRAP=1
for target in fuzz/targets/*.rs; do
    name=$(basename "$target" .rs)
    mkdir -p "fuzz/corpus/$name"
    echo "== $name"
    # New inputs go to a folder that is thrown away; the corpus is only read.
    new=$(mktemp -d)
    cargo fuzz run --sanitizer none "$name" "$new" "fuzz/corpus/$name" -- \
        -runs="$runs" -max_len=4096 -seed=1 -verbosity=0 -print_final_stats=1
    rm -rf "$new"
done
