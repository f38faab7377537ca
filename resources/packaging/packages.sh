# shellcheck shell=bash
# shellcheck disable=SC2034 # the lists are used by the scripts that source this
# What run.sh and test.sh have in common: the packages of Debian and Ubuntu, and the release build. They source it.

BUILD_PACKAGES=(g++ cmake ninja-build ccache pkg-config qt6-base-dev qt6-svg-dev libqcustomplot-dev libtorch-dev
    libopenblas0-pthread libsentencepiece-dev nlohmann-json3-dev libcli11-dev libzip-dev zlib1g-dev libssl-dev
    libicu-dev)
RUN_PACKAGES=(fonts-dejavu-core)
# Qt's X11 plugin comes with Qt itself, the one for Wayland does not.
[ -z "${WAYLAND_DISPLAY:-}" ] || RUN_PACKAGES+=(qt6-wayland)
PACKAGING_PACKAGES=(dpkg-dev file patchelf python3)
TEST_PACKAGES=(fonts-dejavu-core fonts-droid-fallback xvfb xauth openbox xdotool x11-utils poppler-utils librsvg2-bin
    desktop-file-utils python3-numpy dbus at-spi2-core python3-gi gir1.2-atspi-2.0 qt6-l10n-tools)
# Debian 12 and Ubuntu 22.04 to 24.04 have the version that the sources are formatted with; without it that test is skipped.
# Later ones have Qt's plugins for SVG, which the window's icon needs, in a package of their own.
case $(. /etc/os-release 2>/dev/null; echo "${VERSION_CODENAME:-}") in
    bookworm | jammy | noble) TEST_PACKAGES+=(clang-format-14) ;;
    *) RUN_PACKAGES+=(qt6-svg-plugins) ;;
esac

say() { printf '%s\n' "$*" >&2; }

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Installs those of the given packages that are missing; fetches nothing if all are there. Where they cannot be installed it
# says so and goes on: some only make things faster, others may be there in another way, and CMake names what it lacks.
install_missing() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "This system has no apt: nothing was installed. Headscope needs a C++20 compiler, CMake 3.25, Qt 6.4 (Widgets," \
            "PrintSupport, Svg, Test), QCustomPlot 2.1 for Qt 6, LibTorch, SentencePiece, nlohmann-json, CLI11, libzip, zlib, OpenSSL, ICU."
        return
    fi
    local package missing=() as_root=()
    for package; do is_installed "$package" || missing+=("$package"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    local by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
        [ -t 0 ] || as_root+=(-n) # nobody is there to type a password
        if ! command -v sudo >/dev/null || ! "${as_root[@]}" true; then
            say "Packages are missing, and installing them needs root; going on without. To install them, run as root: $by_hand"
            return
        fi
    fi
    say "Installing: ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update </dev/null >&2 || say "The package lists could not be renewed; trying with those that are there."
    # A package that this release does not have would keep apt from installing the others.
    local known=()
    for package in "${missing[@]}"; do
        if apt-cache show --no-all-versions "$package" >/dev/null 2>&1; then
            known+=("$package")
        else
            say "This release has no package $package; see \"Other distributions\" in resources/manual/development.md."
        fi
    done
    missing=("${known[@]}")
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >&2; then
        say "Installing failed, see what apt says above; going on without. To install them, run as root: $by_hand"
    fi
}

# Builds the given targets into build/release. A build folder keeps the generator that it was made with.
build_release() {
    local generator=()
    if [ ! -e build/release/CMakeCache.txt ] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
    cmake --preset release "${generator[@]}" >&2
    cmake --build --preset release --parallel "$(nproc)" --target "$@" >&2
}
