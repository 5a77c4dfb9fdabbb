#!/usr/bin/env bash
# Builds the book from the pages of this folder and the chapters that the program generates.
# Usage: docs/build.sh LUCENA FOLDER
# LUCENA is the program, FOLDER is the output folder. Needs mdbook (`cargo install mdbook`).
# The program needs all features: cargo build --release --features full.
set -euo pipefail

if (($# != 2)); then
    echo "build.sh: give the program and the folder: docs/build.sh target/release/lucena target/book" >&2
    exit 2
fi
if ! command -v mdbook >/dev/null; then
    echo "build.sh: missing: mdbook; install it with: cargo install mdbook" >&2
    exit 1
fi
lucena=$(realpath -- "$1")
mkdir -p -- "$2"
book=$(realpath -- "$2")
docs=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

pages=$(mktemp -d)
trap 'rm -rf -- "$pages"' EXIT
cp -r -- "$docs"/. "$pages"
export LUCENA_CONFIG=
"$lucena" man --chapter >"$pages/reference.md"
"$lucena" schema --chapter >"$pages/schemas.md"
for endgame in KRvK KPvK; do
    "$lucena" attributes "$endgame" --attributes all --chapter >"$pages/attributes-$endgame.md"
done
mdbook build --dest-dir "$book" "$pages"
