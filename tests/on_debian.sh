#!/usr/bin/env bash
# Tests what is committed on a bare system of another release: tests/on_debian.sh [OPTIONS] RELEASE [COMMAND...]
# RELEASE is 12, 13, or a name that debootstrap knows (bookworm, trixie, noble); COMMAND is ./test.sh unless one is given.
#   --folder FOLDER   keeps the system there, and goes on with it the next time (default: a new folder, removed at the end)
#   --mirror URL      where packages come from (default: as apt has it on this machine, or else debootstrap's own choice)
#   --keyring FILE    the keys that packages are signed with (default: debootstrap's choice)
#   --bring FILE      copies it beside the project, where COMMAND finds it as ../NAME
# A package and an archive: tests/on_debian.sh --folder F 13 tests/packaging/make_package.sh deb; then, on another bare system,
# tests/on_debian.sh --bring F/root/headscope/build/release/headscope_....deb 13 tests/packaging/try_package.sh ../headscope_....deb
# Needs root, git and debootstrap, and 6 GB in /var/tmp (or TMPDIR). Packages are all that it fetches.
# shellcheck disable=SC2317 # functions are called by a trap and by another shell
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { printf '%s\n' "$*" >&2; }
refuse() {
    say "$@"
    exit 2
}

folder='' mirror='' keyring='' bring=''
while [[ ${1:-} == --* ]]; do
    [ $# -ge 2 ] || refuse "$1 needs a value."
    case $1 in
        --folder) folder=$(realpath -m "$2") ;;
        --mirror) mirror=$2 ;;
        --keyring) keyring=$2 ;;
        --bring) bring=$(realpath "$2") ;;
        *) refuse "There is no option $1. There are --folder, --mirror, --keyring and --bring, before the release." ;;
    esac
    shift 2
done
[ $# -ge 1 ] || refuse "Name a release: tests/on_debian.sh 13"
case $1 in
    12) release=bookworm ;;
    13) release=trixie ;;
    *) release=$1 ;;
esac
shift
[ $# -gt 0 ] || set -- ./test.sh

[ "$(id -u)" -eq 0 ] || refuse "Making a system needs root."
for program in debootstrap git; do
    command -v $program >/dev/null || refuse "$program is missing: apt-get install $program"
done
scripts=/usr/share/debootstrap/scripts
[ -f "$scripts/$release" ] || refuse "debootstrap knows no release \"$release\". Those that it knows are in $scripts; newer ones know more."
# The script of a release is a link to that of the first one that was made like it.
case $(readlink -f "$scripts/$release") in
    */gutsy) distribution=Ubuntu components=main,universe ;;
    *) distribution=Debian components=main ;;
esac
if [ -z "$mirror" ] && command -v apt-get >/dev/null; then
    # shellcheck disable=SC2016 # apt expands it
    mirror=$(apt-get indextargets 'Created-By: Packages' --format '$(LABEL) $(REPO_URI)' | sed -n "s/^$distribution //p" | head -n 1)
fi

is_system() { [ -e "$1/etc/os-release" ] && [ ! -e "$1/debootstrap" ]; } # debootstrap's folder goes when it has finished

kept=$folder
[ -n "$folder" ] || folder=$(mktemp -d -p "${TMPDIR:-/var/tmp}" headscope-on-debian.XXXXXX)
if is_system "$folder"; then
    # shellcheck source=/dev/null
    found=$(. "$folder/etc/os-release" && echo "$VERSION_CODENAME")
    [ "$found" = "$release" ] || refuse "$folder has $found, not $release. Name another folder."
elif [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then
    refuse "$folder is not empty, and no complete system. Name another folder, or empty it."
fi

# Has mounts and processes of its own, which end when it does: nothing is mounted in the folder for others.
inside() { # FOLDER COMMAND...
    local folder=$1 clone=$1/root/headscope
    shift
    if ! is_system "$folder"; then
        debootstrap --variant=minbase --include=ca-certificates --components="$components" ${keyring:+--keyring="$keyring"} \
            "$release" "$folder" ${mirror:+"$mirror"} >&2
    fi
    # The network as this machine knows it: proxies, certificates, clocks.
    apt-config dump Acquire | grep -iE '::(https?|check-[a-z-]*)(::| )' >"$folder/etc/apt/apt.conf.d/99as-outside" || true
    cp --dereference /etc/resolv.conf "$folder/etc/resolv.conf"
    [ -e "$clone" ] || git init --quiet "$clone"
    git -C "$clone" fetch --quiet "$here" HEAD
    git -C "$clone" checkout --quiet --force --detach FETCH_HEAD
    [ -z "$bring" ] || cp "$bring" "$folder/root/"
    mount -t proc proc "$folder/proc"
    mount --rbind /sys "$folder/sys"
    mount --rbind /dev "$folder/dev"
    mount -t tmpfs -o mode=1777 shm "$folder/dev/shm"
    # shellcheck disable=SC2016 # the shell inside expands it
    exec env -i --default-signal HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        chroot "$folder" sh -c 'cd /root/headscope && exec "$@"' sh "$@"
}

running=
finish() {
    # Its first process takes all others with it, and unshare ends when none is left.
    local first=
    [ -z "$running" ] || read -r first <"/proc/$running/task/$running/children" || true # the line has no end
    [ -z "$first" ] || kill -KILL "$first" || true
    wait
    if [ -n "$kept" ] && is_system "$folder"; then
        say "The system is in $folder, the project in $folder/root/headscope."
    else
        rm -rf --one-file-system "$folder"
    fi
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ -z "$(git -C "$here" status --porcelain)" ] || say "Only what is committed is tested; this checkout has changes that are not."
say "Testing $(git -C "$here" describe --always) on $distribution $release in $folder: $*"
export here release components mirror keyring bring
export -f say is_system inside
(
    trap '' INT TERM # finish ends it, and knows then that nothing is left
    exec unshare --mount --pid --fork --kill-child --mount-proc bash -euo pipefail -c 'inside "$@"' inside "$folder" "$@"
) <&0 &
running=$!
status=0
wait "$running" || status=$?
running=
say "Ended with $status after $((SECONDS / 60)) min $((SECONDS % 60)) s: $* on $distribution $release."
exit "$status"
