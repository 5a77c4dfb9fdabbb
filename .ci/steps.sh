# The steps of .ci/run and .ci/full, which source this file. Each function checks one thing; `step` runs it and
# prints its time. A failed step ends the run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# No step may wait for input.
exec </dev/null
# A clean build gains nothing from incremental compilation or debug information, and takes longer with them.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/ci"
counted=$target/ci/counted
left_out=$target/ci/left_out
: >"$counted"
: >"$left_out"

step() {
  printf '\n== %s\n' "$*"
  local begin=$SECONDS
  "$@"
  printf -- '-- %d s\n' $((SECONDS - begin))
}

# Reports that a step cannot run on this machine. `finish` repeats the report.
leave_out() {
  echo "left out: $*" | tee -a "$left_out"
}

# Runs cargo test, and counts the tests that passed. The tests of signals need those that end a program, which whoever
# runs this in the background may ignore.
tests() {
  local signals=()
  env --default-signal=HUP,INT,TERM true 2>/dev/null && signals=(env --default-signal=HUP,INT,TERM)
  ${signals[@]+"${signals[@]}"} cargo test --locked "$@" | tee "$target/ci/tests"
  grep '^test result: ' "$target/ci/tests" >>"$counted"
}

# Prints the number of tests that passed, the total time, and the steps that were left out.
finish() {
  local passed
  passed=$(awk '{ sum += $4 } END { print sum + 0 }' "$counted")
  echo
  cat "$left_out"
  echo "$passed tests passed in $SECONDS s: all is well"
}

formatted() {
  cargo fmt --all -- --check
}

# All members, including `python` and `fuzz`.
linted() {
  cargo clippy --locked --workspace --all-targets -- -D warnings
}

# Checksums of everything that the main command writes.
sums() {
  find data generated -type f -not -path '*/target/*' | LC_ALL=C sort | xargs sha256sum
}

# The README's main command: it leaves the checked-in files unchanged, and a second run changes no byte of any file.
mine_cleanly() {
  local tracked first second
  tracked=$(git status --porcelain)
  cargo run --locked --release -- mine
  first=$(sums)
  if [ "$(git status --porcelain)" != "$tracked" ]; then
    echo "mine has changed what is checked in:"
    git status --porcelain
    return 1
  fi
  cargo run --locked --release -- mine
  second=$(sums)
  if [ "$first" != "$second" ]; then
    echo "the second run has changed something:"
    diff <(echo "$first") <(echo "$second")
    return 1
  fi
}

# A program without all features says which one a request needs, and how to build it.
features_named() {
  local feature line answer
  while IFS=: read -r feature line; do
    if answer=$(timeout 60 cargo run --locked --quiet --release -- $line 2>&1 </dev/null) ||
      ! grep -q "feature $feature" <<<"$answer"; then
      echo "lucena $line does not name the feature $feature: $answer"
      return 1
    fi
  done <<'END'
serve:serve --port 0
dist:solve KQvK --processes 2
parquet:dataset KRvK --format parquet
linfa:learn KRvK --learner linfa
END
}

# Built together with the program, the generator has dependencies with the same features, so none is compiled again.
generated_is_current() {
  cargo build --locked --release --package lucena --package lucena-codegen
  "$target/release/lucena-codegen" --check
}

# The ignored tests that only .ci/full runs.
mapfile -t long < <(grep -v '^#' .ci/long_tests.txt)

# Without `python` and `fuzz` the dependencies have the same features as in the program with the feature `full`, so
# `whole_program` compiles no crate again.
ignored_tests() {
  tests --release --workspace --exclude lucena-python --exclude lucena-fuzz --test '*' -- --ignored "$@"
}

slow_tests() {
  local name
  for name in "${long[@]}"; do
    grep -rqw --include='*.rs' "fn $name" crates tests || {
      echo "no test is called $name: correct .ci/long_tests.txt"
      return 1
    }
  done
  ignored_tests $(printf -- '--skip %s ' "${long[@]}")
}

long_tests() {
  ignored_tests "${long[@]}"
}

# The tests in the code of these libraries. `cargo test` leaves them out, because it would compile each library twice.
unit_tests() {
  tests --lib --package lucena-proof --package lucena-strategy --package lucena-theory
}

# The commands of the README's tables, except one that takes minutes, whose result the slow tests check, and those that
# the manifest runs.
readme_commands() {
  local line
  grep -o '`cargo run --release [^`]*`' README.md | tr -d '`' | sort -u | while read -r line; do
    case "$line" in
      *"verify --all") continue ;;
      # It runs until it is stopped; it has tests of its own.
      *" serve") continue ;;
    esac
    ! grep -qxF -- "${line#* -- }" tests/manifest/cases.txt || continue
    echo "$line"
    ${line/cargo run/cargo run --locked --quiet} >/dev/null
  done
}

# The program with all features. The slow tests have compiled its crates.
whole_program() {
  cargo build --locked --release --features full
}

# All observable output matches the checked-in texts and checksums.
nothing_observable_changed() {
  tests/manifest/run.py "$target/release/lucena"
}

feature_sets() {
  local features
  for features in "" page cli serve dist parquet linfa full; do
    cargo clippy --locked --no-default-features --features "$features" -- -D warnings
  done
}

documented() {
  RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --features lucena/full --no-deps
}

# The generated crate, without the rest of the workspace, as an engine would use it.
generated_alone() {
  cargo run --locked --release --package lucena-generated --example engine
  local folder
  folder=$(mktemp -d)
  cp -r generated/Cargo.toml generated/src "$folder"
  (cd "$folder" && CARGO_TARGET_DIR=$folder/target cargo check)
  rm -rf "$folder"
}

benches_compile() {
  cargo bench --locked --package lucena-benches --no-run
}

# The minimum supported Rust version of the workspace, and that of the generated crate, which has its own.
oldest_rust() {
  local manifest version members
  for manifest in Cargo.toml generated/Cargo.toml; do
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1.0/p' "$manifest")
    members="--workspace --features lucena/full"
    [ "$manifest" = Cargo.toml ] || members=--package=lucena-generated
    if rustup toolchain install --profile minimal --no-self-update "$version"; then
      cargo +"$version" check --locked $members
    else
      leave_out "Rust $version cannot be installed here"
    fi
  done
}

# Every crate as a package, and the program built and installed from the packages alone, as other people get it.
packaged() {
  local folder package
  cargo package --locked --workspace --exclude lucena-benches --exclude lucena-examples --no-verify --quiet
  folder=$(mktemp -d)
  mkdir "$folder/packages"
  for package in "$target"/package/lucena-*.crate; do
    tar --extract --gzip --file "$package" --directory "$folder/packages"
  done
  {
    printf '[workspace]\nmembers = ["packages/*"]\nresolver = "3"\n[patch.crates-io]\n'
    for package in "$folder"/packages/*; do
      echo "$(basename "${package%-*}") = { path = \"$package\" }"
    done
  } >"$folder/Cargo.toml"
  cp Cargo.lock "$folder"
  (
    export CARGO_TARGET_DIR=$folder/target
    cd "$folder"
    cargo install --locked --debug --features full --path packages/lucena-[0-9]* --root installed
    installed/bin/lucena prove --tables tables >/dev/null
  )
  rm -rf "$folder"
}

# Each fuzz target for a minute.
fuzzed() {
  cargo fuzz --version >/dev/null 2>&1 || [ -x target/tools/bin/cargo-fuzz ] ||
    CARGO_TARGET_DIR=target/cargo-fuzz cargo install --quiet --locked --root target/tools cargo-fuzz || {
    leave_out "cargo-fuzz cannot be installed here; clippy has compiled the targets"
    return
  }
  PATH="$PWD/target/tools/bin:$PATH" fuzz/run.sh 60s
}

# The tools that the remaining checks need: each command, and the Debian package that has it.
tools_installed() {
  local wanted=(java:default-jdk-headless dot:graphviz cc:gcc node:nodejs npm:npm chromium:chromium) missing=() pair
  for pair in "${wanted[@]}"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  [ -x /usr/games/stockfish ] || command -v stockfish >/dev/null || missing+=(stockfish)
  [ -f /usr/share/java/weka.jar ] || missing+=(weka)
  if ((${#missing[@]})); then
    apt-get update --quiet=2
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" >/dev/null
  fi
  python3 -m venv target/tools
  target/tools/bin/pip install --quiet --disable-pip-version-check -r tests/tools/requirements.txt
  command -v mdbook >/dev/null || [ -x target/tools/bin/mdbook ] ||
    CARGO_TARGET_DIR=target/mdbook cargo install --quiet --locked --no-default-features --root target/tools mdbook@0.5.4
}

# Other people's tools read the output of lucena; the Python package.
taken_by_tools() {
  PATH="$PWD/target/tools/bin:$PATH" tests/tools/run.sh "$target/release/lucena"
}

# The page in a real browser. Only this test needs Node.
page_in_a_browser() {
  local lucena
  lucena=$(realpath "$target/release/lucena")
  (cd crates/serve/tests/browser && npm ci --no-audit --no-fund --loglevel=error && LUCENA=$lucena npm test)
}

book_made() {
  PATH="$PWD/target/tools/bin:$PATH" docs/build.sh "$target/release/lucena" "$target/book"
  [ -s "$target/book/index.html" ]
}

# The gate.
gate() {
  step formatted
  step linted
  # The README's two commands.
  step tests --workspace
  step unit_tests
  step mine_cleanly
  step features_named
  step generated_is_current
  step slow_tests
  step readme_commands
  step whole_program
  step nothing_observable_changed
}
