#!/usr/bin/env bash
# Feeds lucena's output to the real tools that should accept it.
# Usage: tests/tools/run.sh LUCENA [NAME...]
# LUCENA is the program; each NAME is a script beside this one. Without names, all scripts run except those
# whose tool no registry packages.
# Needs a Python virtual environment with requirements.txt first on the path, and from Debian:
# stockfish weka default-jdk-headless graphviz gcc nodejs
# The program needs all features: cargo build --release --features full.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
if (($# < 1)); then
    echo "run.sh: give the program: tests/tools/run.sh target/release/lucena" >&2
    exit 2
fi
lucena=$(realpath -- "$1")
shift
if (($# == 0)); then
    for script in "$here"/*.py "$here"/*.sh; do
        name=$(basename -- "$script")
        case $name in
            run.sh) ;;
            lichess_bot.py) echo "-- $name is skipped: it needs a checkout of lichess-bot" ;;
            uci_runner.sh) echo "-- $name is skipped: it needs fastchess or cutechess-cli, built by hand" ;;
            *) set -- "$@" "$name" ;;
        esac
    done
fi

# Ignore the developer's settings.
export LUCENA_CONFIG=
failed=()
for name in "$@"; do
    echo "-- $name"
    begin=$SECONDS
    case $name in
        *.py) python "$here/$name" "$lucena" || failed+=("$name") ;;
        *) bash "$here/$name" "$lucena" || failed+=("$name") ;;
    esac
    echo "   $((SECONDS - begin)) s"
done
if ((${#failed[@]})); then
    echo "run.sh: failed: ${failed[*]}" >&2
    exit 1
fi
