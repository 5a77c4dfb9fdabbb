#!/usr/bin/env bash
# A third-party match runner plays a hundred games of lucena against Stockfish, with clocks.
#
# Usage: uci_runner.sh LUCENA
#
# Needs stockfish (Debian's package), and fastchess or cutechess-cli, on the path or named by RUNNER. No
# registry packages either of them: fastchess is built by "make" in its sources
# (https://github.com/Disservin/fastchess). There is no substitute: without a runner the script fails.
set -euo pipefail

fail() {
    echo "uci_runner: $*" >&2
    exit 1
}

[ $# -eq 1 ] || fail "say where lucena is"
lucena=$(realpath "$1")
stockfish=$(PATH="$PATH:/usr/games" command -v stockfish) ||
    fail "there is no stockfish: install it, on Debian with apt-get install stockfish"
runner=${RUNNER:-$(command -v fastchess || command -v cutechess-cli)} ||
    fail "there is neither fastchess nor cutechess-cli: build one, and put it on the path or into RUNNER"
runner=$(realpath "$runner")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >openings.epd <<'EPD'
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq -
8/8/8/3k4/8/8/8/K6R w - -
8/8/8/3k4/8/8/8/K6Q b - -
4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -
EPD

# Tables are solved before any clock runs: the script waits for the last answer.
printf 'position startpos\ngo depth 1\n' | "$lucena" uci --tables tables | grep -q '^bestmove ' ||
    fail "lucena uci does not answer"

# The two runners write options in different ways.
case "$runner" in
    *cutechess*) arguments=(arg=uci arg=--tables arg="$folder/tables") pgn=(games.pgn) ;;
    *) arguments=(args="uci --tables $folder/tables") pgn=(file=games.pgn) ;;
esac

# On a busy machine Stockfish is occasionally some milliseconds late, for which lucena is not responsible: it
# gets a margin, and lucena gets none.
"$runner" \
    -engine cmd="$lucena" "${arguments[@]}" name=lucena \
    -engine cmd="$stockfish" name=Stockfish "option.Skill Level=0" timemargin=2000 \
    -each proto=uci tc=0.5+0.01 \
    -openings file=openings.epd format=epd order=sequential \
    -rounds 50 -games 2 -repeat -concurrency 2 -maxmoves 100 \
    -pgnout "${pgn[@]}" \
    >log 2>&1 || { tail -n 20 log >&2; fail "the runner fails"; }

games=$(grep -c '^\[Result ' games.pgn) || fail "no games are written"
[ "$games" -eq 100 ] || fail "$games games are over, not 100"
if grep -iE '^Finished game.*(illegal|stall|disconnect|on time|timeout)' log >wrong ||
    grep -iE '^\[Termination "(illegal|stall|time|abandon|rules|unterminated)' games.pgn >>wrong; then
    head -n 20 wrong >&2
    fail "something went wrong in a game"
fi
echo "$(basename "$runner"): 100 games of lucena against Stockfish at 0.5 s + 0.01 s without a stall, an illegal move or a time forfeit ($(grep -E '^Games:|^Score of' log | tail -n 1))"
