#!/usr/bin/env bash
# Measures the cost of sharing an endgame among processes and hosts: bytes, packets, seconds, memory.
# Usage: crates/benches/scale/run.sh LUCENA [FOLDER]
# LUCENA is the program; FOLDER keeps the followers' tables for the next time.
# Needs root (for network namespaces), iproute2 with tc and its tbf, /dev/net/tun, python3, and an otherwise idle
# machine. Takes about six minutes on two cores.
# The hosts are network namespaces of this machine. Each has its own tables.
# Writes crates/benches/scale/measured.csv, and prints the tables of docs/scale.md. To update the page, run
# crates/benches/scale/page.py crates/benches/scale/measured.csv docs/scale.md
# The program needs all features: cargo build --release --features full.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
if (($# < 1 || $# > 2)); then
    echo "run.sh: give the program: crates/benches/scale/run.sh target/release/lucena" >&2
    exit 2
fi
lucena=$(realpath -- "$1")
if ((EUID != 0)); then
    echo "run.sh: network namespaces need root" >&2
    exit 2
fi
for tool in ip tc python3 timeout; do
    command -v "$tool" >/dev/null || { echo "run.sh: $tool is missing" >&2; exit 2; }
done
work=$(mktemp -d)
tables=${2:-$work/kept}
csv=$work/measured.csv
relay=

# Removes the network.
forget() {
    if [[ -n $relay ]]; then
        kill "$relay" 2>/dev/null || true
        wait "$relay" 2>/dev/null || true
        relay=
    fi
    for host in 0 1 2 3; do
        ip netns del "lucena-scale-$host" 2>/dev/null || true
        ip link del "scale$host" 2>/dev/null || true
    done
    ip link del lucena-scale 2>/dev/null || true
}
trap 'forget; rm -rf -- "$work"' EXIT
trap 'exit 1' INT TERM

# One machine: a namespace with its own loopback, whose counters count nothing else.
one_machine() {
    forget
    ip netns add lucena-scale-0
    ip -n lucena-scale-0 link set lo up
}

# The given number of hosts at a bridge. A host sends at the given rate in Mbit/s; 0 is unlimited. Packets have
# the size of an Ethernet frame.
hosts_at_a_bridge() {
    local hosts=$1 rate=$2
    forget
    ip link add lucena-scale type bridge
    ip link set lucena-scale up
    for ((host = 0; host < hosts; host++)); do
        local name=lucena-scale-$host
        ip netns add "$name"
        ip link add "scale$host" type veth peer name wire netns "$name"
        ip link set "scale$host" master lucena-scale up
        ip -n "$name" link set wire gso_max_segs 1
        ip -n "$name" addr add "10.77.0.$((host + 1))/24" dev wire
        ip -n "$name" link set lo up
        ip -n "$name" link set wire up
        if ((rate > 0)); then
            ip netns exec "$name" tc qdisc add dev wire root tbf rate "${rate}mbit" burst 256k latency 200ms
        fi
    done
}

# The given number of hosts with the given delay in milliseconds between them.
distant_hosts() {
    local hosts=$1 delay=$2 said
    forget
    coproc RELAY { exec python3 "$here/relay.py" "$hosts" "$delay"; }
    relay=$RELAY_PID
    read -r said <&"${RELAY[0]}"
    [[ $said == ready ]]
    for ((host = 0; host < hosts; host++)); do
        local name=lucena-scale-$host
        ip netns add "$name"
        ip link set "scale$host" netns "$name"
        ip -n "$name" link set "scale$host" name wire
        ip -n "$name" link set wire mtu 1500 txqueuelen 10000
        ip -n "$name" addr add "10.77.0.$((host + 1))/24" dev wire
        ip -n "$name" link set lo up
        ip -n "$name" link set wire up
    done
}

# The tables of the followers, and the table of the endgame as made by one process.
prepare() {
    local endgame=$1
    if [[ ! -e $tables/$endgame/reference.table ]]; then
        mkdir -p "$tables/$endgame"
        "$lucena" solve "$endgame" --quiet --tables "$tables/$endgame" --format json >"$tables/$endgame.json"
        mkdir -p "$tables/followers-$endgame"
        mv "$tables/$endgame/$endgame.table" "$tables/$endgame.table"
        mv "$tables/$endgame"/*.table "$tables/followers-$endgame/"
        mv "$tables/$endgame.table" "$tables/$endgame/reference.table"
    fi
}

# Measures a setting: endgame, workers, hosts, rate, delay.
measure() {
    timeout 150 python3 "$here/measure.py" --lucena "$lucena" --csv "$csv" --work "$work" \
        --followers "$tables/followers-$1" --reference "$tables/$1/reference.table" \
        --report "$tables/$1.json" --endgame "$1" --workers "$2" --hosts "${3:-0}" --rate "${4:-0}" --delay "${5:-0}"
}

# The number of runs of the small endgames; the minimum of the times counts.
repeats=3
times() {
    case $1 in
        KBNvK) echo $repeats ;;
        *) echo 1 ;;
    esac
}

for endgame in KBNvK KPvKP KBBBvK KBBvKN; do
    prepare "$endgame"
done

for endgame in KBNvK KPvKP KBBBvK KBBvKN; do
    for processes in 1 2 4; do
        for ((time = 0; time < $(times "$endgame"); time++)); do
            one_machine
            measure "$endgame" "$processes"
        done
    done
done
for endgame in KBNvK KBBvKN; do
    for setting in "2 0" "3 0" "4 0" "2 1000" "2 100" "4 100" "2 20"; do
        read -r hosts rate <<<"$setting"
        # The effect of 1 Gbit/s shows in the small endgame.
        [[ $endgame == KBBvKN && $rate == 1000 ]] && continue
        for ((time = 0; time < $(times "$endgame"); time++)); do
            hosts_at_a_bridge "$hosts" "$rate"
            measure "$endgame" "$hosts" "$hosts" "$rate"
        done
    done
    for hosts in 2 4; do
        distant_hosts "$hosts" 5
        measure "$endgame" "$hosts" "$hosts" 0 5
    done
done

{
    echo "# $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $(nproc) cores," \
        "$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1048576}' /proc/meminfo), Linux $(uname -r | cut -d- -f1)"
    cat "$csv"
} >"$here/measured.csv"
python3 "$here/page.py" "$here/measured.csv"
