#!/usr/bin/env bash
# Weka's Id3 and J48 load lucena's ARFF files and learn from them. Needs a Java that runs source files, and
# weka.jar (WEKA_JAR; Debian's package weka has it in /usr/share/java).
#
#   weka.sh LUCENA
set -euo pipefail
lucena=$(realpath "${1:?usage: weka.sh LUCENA}")
here=$(cd "$(dirname "$0")" && pwd)
jar=${WEKA_JAR:-/usr/share/java/weka.jar}
if [ ! -f "$jar" ]; then
  echo "weka: $jar does not exist: install Weka, or name its weka.jar in WEKA_JAR" >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for format in arff arff-nominal; do
  "$lucena" dataset --attributes published --format "$format" --out "$folder/$format" 2>/dev/null
done
java -Djava.awt.headless=true -Xss64m -cp "$jar" "$here/WekaTrees.java" \
  "$folder/arff-nominal" "$folder/arff" 28056
