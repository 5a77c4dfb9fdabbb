#!/usr/bin/env bash
# Runs fuzz targets with N inputs each, or for N seconds each, starting from the checked-in corpus:
# fuzz/run.sh N [TARGET...]
# fuzz/run.sh Ns [TARGET...]
# With KEEP=1, inputs that reach new code are added to the corpus, which is then minimised.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=${1:?how many inputs or seconds, as in: fuzz/run.sh 100000, fuzz/run.sh 60s}
shift
case $limit in
    *s) limit=-max_total_time=${limit%s} ;;
    *) limit=-runs=$limit ;;
esac
if (($# == 0)); then
    set -- fuzz/targets/*.rs
fi
export RUSTC_BOOTSTRAP=1
for target in "$@"; do
    name=$(basename "$target" .rs)
    echo "== $name"
    folder=$(mktemp -d)
    mkdir "$folder/new" "$folder/kept"
    if [ -f "fuzz/corpus/$name.tar.gz" ]; then
        tar --extract --gzip --file "fuzz/corpus/$name.tar.gz" --directory "$folder/kept"
    fi
    cargo fuzz run --sanitizer none "$name" "$folder/new" "$folder/kept" -- \
        "$limit" -max_len=4096 -seed=1 -verbosity=0 -print_final_stats=1
    if [ -n "${KEEP:-}" ]; then
        mkdir -p fuzz/corpus "$folder/small"
        cargo fuzz run --sanitizer none "$name" "$folder/small" "$folder/new" "$folder/kept" -- \
            -merge=1 -max_len=4096 -verbosity=0
        # The same files are the same bytes.
        tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 \
            --directory "$folder/small" $(ls "$folder/small") | gzip --no-name --best >"fuzz/corpus/$name.tar.gz"
    fi
    rm -rf "$folder"
done
