# shellcheck shell=bash
# Daemons of the demo: each has its own folder below $WORK and does not see the user's settings.
# Source this after common.sh, with BIN (the programs' folder) and WORK (a temporary folder) set. $WORK/undo lists what must
# be undone, one "pid N" or "netns NAME" a line, so that another process can undo it too.

declare -A PIDS=()
: "${WORK:=}"

# Runs a command with the environment of a node: in_node NAME [exec] COMMAND...
in_node() {
    local home=$WORK/$1 how=()
    shift
    if [ "$1" = exec ]; then
        how=(exec)
        shift
    fi
    "${how[@]}" env -i PATH="$PATH" LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" LANG=C.UTF-8 TZ="${TZ:-}" HOME="$home" \
        XDG_CONFIG_HOME="$home/config" XDG_DATA_HOME="$home/share" XDG_STATE_HOME="$home/state" \
        XDG_RUNTIME_DIR="$home/run" "$@"
}

# Starts a daemon: node_start NAME NETNS ARGUMENT...; an empty NETNS means this machine's network.
node_start() {
    local name=$1 netns=$2 enter=()
    shift 2
    mkdir -p "$WORK/$name/run"
    chmod 700 "$WORK/$name/run"
    [ -z "$netns" ] || enter=(nsenter "--net=/run/netns/$netns")
    # A new session, so that Ctrl-C reaches only this script, which then stops everything in order. Each of these commands
    # replaces itself by the next one, so the process ID is the daemon's.
    in_node "$name" exec setsid "${enter[@]}" "$BIN/parlanced" --data-dir "$WORK/$name/data" "$@" \
        </dev/null >>"$WORK/$name/log" 2>&1 &
    PIDS[$name]=$!
    printf 'pid %s\n' "$!" >>"$WORK/undo"
}

# Waits until a daemon answers on its socket; fails with the reason if it does not.
node_ready() {
    eventually "${2:-15}" node_answers_or_died "$1" || fail "$1's daemon did not answer within ${2:-15} s."
    ours "${PIDS[$1]}" "$WORK" || fail "$1's daemon ended by itself."
}
node_answers_or_died() { parlance "$1" status --json >/dev/null 2>&1 || ! kill -0 "${PIDS[$1]}" 2>/dev/null; }

# Runs the command parlance for a node: parlance NAME ARGUMENT...
parlance() {
    local name=$1
    shift
    in_node "$name" "PARLANCE_SOCKET=$WORK/$name/data/control.sock" "$BIN/parlance" "$@"
}

# Kills a daemon without warning.
node_kill() {
    kill -9 "${PIDS[$1]}"
    { wait "${PIDS[$1]}" || true; } 2>/dev/null
}

# Asks a daemon to stop and waits for its exit code.
node_stop() {
    local code=0
    kill -TERM "${PIDS[$1]}" 2>/dev/null || true
    eventually 10 process_ended "${PIDS[$1]}" || fail "$1's daemon did not stop within 10 s of SIGTERM."
    { wait "${PIDS[$1]}" || code=$?; } 2>/dev/null
    return $code
}
process_ended() { ! ours "$1" "$WORK"; }

# Undoes what a folder's undo file lists and removes the folder.
undo() {
    local work=$1 kind what
    if [ -f "$work/undo" ]; then
        while read -r kind what; do
            if [ "$kind" = pid ] && ours "$what" "$work"; then kill -TERM "$what" 2>/dev/null || true; fi
        done <"$work/undo"
        while read -r kind what; do
            [ "$kind" = pid ] || continue
            eventually 5 ended_in "$what" "$work" || kill -9 "$what" 2>/dev/null || true
        done <"$work/undo"
        while read -r kind what; do
            if [ "$kind" = netns ] && [ -e "/run/netns/$what" ]; then ip netns del "$what" || true; fi
        done <"$work/undo"
    fi
    rm -rf -- "$work"
}
ended_in() { ! ours "$1" "$2"; }

# Ends the script with a reason and the last lines of the daemons' logs.
fail() {
    local log
    printf '\n%sFAILED:%s %s\n' "$RED" "$PLAIN" "$*" >&2
    for log in "$WORK"/*/log; do
        [ -f "$log" ] || continue
        printf '\nThe last lines of %s:\n' "${log#"$WORK"/}" >&2
        tail -n 15 "$log" | sed 's/^/    /' >&2
    done
    exit 1
}
