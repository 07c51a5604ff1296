# shellcheck shell=bash disable=SC2034
# What the scripts of contrib/ share. Sourced, never run.

# The checkout's folder.
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

if [ -t 1 ]; then
    BOLD=$'\e[1m' GREEN=$'\e[32m' RED=$'\e[31m' PLAIN=$'\e[0m'
else
    BOLD='' GREEN='' RED='' PLAIN=''
fi

# A heading of what follows.
heading() { printf '\n%s== %s%s\n' "$BOLD" "$*" "$PLAIN"; }

# One plain line for the reader; on standard error, so that standard output stays what was asked for.
note() { printf '%s\n' "$*" >&2; }

# Ends the script with a reason.
die() {
    printf '%serror:%s %s\n' "$RED" "$PLAIN" "$*" >&2
    exit 1
}

# Runs a command as root: as it is, or through sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        die "'$*' needs root. Run this script as root, or install sudo."
    fi
}

# The user who builds: the owner of the checkout when root (sudo) runs the script, so that nothing in .build belongs to
# root afterwards and that user's Swift is found; else whoever runs it.
builder() {
    local owner
    owner=$(stat -c %U "$ROOT" 2>/dev/null || id -un)
    if [ "$(id -u)" = 0 ] && [ "$owner" != root ] && [ "$owner" != UNKNOWN ]; then
        printf '%s\n' "$owner"
    else
        id -un
    fi
}

# Runs a command in the checkout as the builder, with a login shell's PATH if that is somebody else.
as_builder() {
    local user
    user=$(builder)
    if [ "$user" = "$(id -un)" ]; then
        (cd "$ROOT" && "$@")
    else
        # The inner shell, not this one, expands its arguments.
        # shellcheck disable=SC2016
        runuser -u "$user" -- env HOME="$(getent passwd "$user" | cut -d: -f6)" \
            bash -lc 'cd "$1" && shift && exec "$@"' bash "$ROOT" "$@"
    fi
}

# Builds products in release mode, one after the other (SwiftPM takes one --product at a time), and sets BIN.
build_release() {
    local product
    for product in "$@"; do
        as_builder swift build -c release --product "$product" >&2 || die "$product did not build; the compiler says why above."
    done
    BIN=$(as_builder swift build -c release --show-bin-path)
}

# Milliseconds of a clock that only goes forward.
now_ms() {
    local up
    read -r up _ </proc/uptime
    printf '%s\n' "$((10#${up/./} * 10))"
}

# Polls a command until it succeeds: eventually SECONDS COMMAND...; fails after that time.
eventually() {
    local deadline=$(($(now_ms) + $1 * 1000))
    shift
    until "$@"; do
        [ "$(now_ms)" -lt "$deadline" ] || return 1
        sleep 0.05
    done
}

# Whether a process of ours runs: its environment must name the folder, since process IDs are used again.
ours() { grep -qsF -- "$2" "/proc/$1/environ"; }
