# shellcheck shell=bash disable=SC2034
# Functions that the scripts of contrib/ share. Source this file; do not run it.

# The checkout's folder.
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

if [ -t 1 ]; then
    BOLD=$'\e[1m' GREEN=$'\e[32m' RED=$'\e[31m' PLAIN=$'\e[0m'
else
    BOLD='' GREEN='' RED='' PLAIN=''
fi

# Prints a heading.
heading() { printf '\n%s== %s%s\n' "$BOLD" "$*" "$PLAIN"; }

# Prints one plain line on standard error, so that standard output contains only results.
note() { printf '%s\n' "$*" >&2; }

# Ends the script with an error message.
die() {
    printf '%serror:%s %s\n' "$RED" "$PLAIN" "$*" >&2
    exit 1
}

# Runs a command as root: directly, or through sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        die "'$*' needs root. Run this script as root, or install sudo."
    fi
}

# The user who builds. If root (sudo) runs the script, this is the owner of the checkout, so that nothing in .build belongs to
# root afterwards and that user's Swift is found; otherwise it is the user who runs the script.
builder() {
    local owner
    owner=$(stat -c %U "$ROOT" 2>/dev/null || id -un)
    if [ "$(id -u)" = 0 ] && [ "$owner" != root ] && [ "$owner" != UNKNOWN ]; then
        printf '%s\n' "$owner"
    else
        id -un
    fi
}

# Runs a command in the checkout as the builder, with the PATH of a login shell if the builder is another user.
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

# Builds products in release mode, one after the other (SwiftPM takes one --product at a time), and sets BIN. Swift's libraries
# are linked into the programs, as in the packages.
build_release() {
    local product
    BIN=$(as_builder swift build -c release --show-bin-path)
    for product in "$@"; do
        begin_build "$product"
        # The linker warns of mktemp in Swift's own library; nobody can act on that here.
        as_builder swift build -c release --static-swift-stdlib --product "$product" 2>&1 |
            sed -u '/warning: the use of .mktemp. is dangerous/d' >&2 || die "$product did not build; the compiler says why above."
        end_build "$product"
    done
}

# Notes when a product of BIN was built, so that is_current knows from which sources. What changes during the build is newer.
begin_build() { as_builder mkdir -p "$BIN" && as_builder touch "$BIN/$1.current.new"; }
end_build() { as_builder mv "$BIN/$1.current.new" "$BIN/$1.current"; }

# Whether products of BIN were built from the sources that are here now.
is_current() {
    local product
    for product in "$@"; do
        [ -x "$BIN/$product" ] && [ -e "$BIN/$product.current" ] &&
            [ -z "$(find "$ROOT/Sources" "$ROOT/Package.swift" "$ROOT/Package.resolved" -newer "$BIN/$product.current" -print -quit)" ] ||
            return 1
    done
}

# Builds a product in release mode that checks what must always hold (Sources/ParlanceWire/Invariant.swift), in a folder of its
# own, and sets BIN.
build_checked() {
    local checked=(env PARLANCE_INVARIANTS=1 swift build -c release --scratch-path .build/checked)
    as_builder "${checked[@]}" --product "$1" >&2 || die "$1 did not build; the compiler says why above."
    BIN=$ROOT/.build/checked/release
}

# Builds products to be shown once, in a folder of their own, and sets BIN: not optimised, each module compiled as a whole and
# without debug information. That takes two thirds of the time of "swift build", and a third of that of a release.
build_plain() {
    local product plain=(swift build -c release -Xswiftc -Onone -Xswiftc -gnone --scratch-path .build/plain)
    for product in "$@"; do
        as_builder "${plain[@]}" --product "$product" >&2 || die "$product did not build; the compiler says why above."
    done
    BIN=$(as_builder "${plain[@]}" --show-bin-path)
}

# Prints the milliseconds of a monotonic clock.
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

# Whether a process of ours runs: its environment must name the folder, because process IDs are reused.
ours() { grep -qsF -- "$2" "/proc/$1/environ"; }
