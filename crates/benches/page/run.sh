#!/usr/bin/env bash
# Measures how quickly the page answers: single positions, many at a time, and beside two experiments.
# Usage: crates/benches/page/run.sh LUCENA [SECONDS]
# LUCENA is the program; SECONDS is the duration of the requests, 60 by default. Needs wrk.
# The program needs all features: cargo build --release --features full.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
if (($# < 1)); then
    echo "run.sh: give the program: crates/benches/page/run.sh target/release/lucena" >&2
    exit 2
fi
program=$1
lucena=$(realpath -- "$1")
seconds=${2:-60}
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf -- "$folder"' EXIT
export LUCENA_CONFIG=
"$lucena" serve --port 0 --tables "$folder/tables" >"$folder/said" &
server=$!
until grep -q http "$folder/said"; do
    kill -0 "$server" 2>/dev/null || { echo "run.sh: $program does not serve" >&2; exit 1; }
    sleep 0.05
done
url=$(grep -o 'http://[^ ]*' "$folder/said")

memory() { awk '/VmRSS/ { printf "%.0f MB\n", $2 / 1024 }' "/proc/$server/status"; }
ask() { wrk --threads 1 --latency --script "$here/mixed.lua" "$@" "$url"; }

# Solve every requested table before anything is timed.
ask --connections 4 --duration 5s >/dev/null
echo "== mixed probes, 8 connections, $seconds s; memory before: $(memory)"
ask --connections 8 --duration "${seconds}s"
echo "memory after: $(memory)"

echo "== positions one after the other"
WHAT=position ask --connections 1 --duration 5s

echo "== positions one after the other, two theories being searched for beside"
for seed in 1 2; do
    curl --fail --silent --output /dev/null --header 'content-type: application/json' \
        --data "{\"verb\":\"distil\",\"fields\":{\"seconds\":\"60\",\"seed\":\"$seed\"}}" "${url}api/jobs"
done
sleep 2
WHAT=position ask --connections 1 --duration 8s

echo "== first view, bytes"
for file in "" $(curl --silent "$url" | grep -o '/page/[a-z.]*' | sort -u); do
    printf '%8d  %s\n' "$(curl --silent "$url${file#/}" | wc -c)" "/${file#/}"
done
