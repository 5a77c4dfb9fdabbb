#!/usr/bin/env bash
# Builds the Python package as a source distribution and from that a wheel, installs it into an empty virtual
# environment, and runs its tests there: the types, the stubs, the notebook, and the command, which answers as
# the program does.
#
# Usage: python_package.sh LUCENA
#
# Needs Python 3.10 or later with pip and venv, a Rust toolchain, and maturin (requirements.txt). The
# dependencies of the tests come from python/pyproject.toml. Libraries shared with the program are compiled
# once, in the program's own target folder.
set -euo pipefail

fail() {
  echo "python_package: $*" >&2
  exit 1
}

[ $# -eq 1 ] || fail "say where lucena is"
lucena=$(realpath "$1")
package=$(cd "$(dirname "$0")/../../python" && pwd)
command -v maturin >/dev/null || fail "there is no maturin: pip install -r tests/tools/requirements.txt"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$(dirname "$package")/target}

cd "$package"
# The wheel is made from the source distribution, as it is where no wheel fits. Its lock file has members that it
# lacks, so cargo may not be told --locked; the versions are those of the lock file all the same.
maturin build --release --sdist --quiet --out "$folder/wheels"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$folder"/wheels/lucena-*.whl
# Without the dependencies of the tests: numpy is enough.
"$folder/venv/bin/python" -c 'import lucena; assert lucena.prove("theory").wins_all'
for program in "$folder/venv/bin/lucena" "$lucena"; do
  "$program" prove --player theory --format json --tables "$folder/tables" >"$folder/proof.json"
  [ -s "$folder/proof.json" ] || fail "$program proves nothing"
  grep -v seconds "$folder/proof.json" >>"$folder/proofs.json"
done
lines=$(wc -l <"$folder/proofs.json")
cmp <(head -n $((lines / 2)) "$folder/proofs.json") <(tail -n $((lines / 2)) "$folder/proofs.json") ||
  fail "the package's command answers otherwise than $lucena"

wheel=$(echo "$folder"/wheels/lucena-*.whl)
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel[test]"
"$folder/venv/bin/python" -m mypy
"$folder/venv/bin/python" -m mypy.stubtest lucena --mypy-config-file pyproject.toml
PATH="$folder/venv/bin:$PATH" "$folder/venv/bin/python" -m pytest -q -p no:cacheprovider
echo "python_package: the wheel $(basename "$wheel") installs and passes its tests and its notebook"
