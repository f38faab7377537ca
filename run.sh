#!/usr/bin/env bash
# Installs what is missing, builds Headscope and opens its window. Arguments are handed on: ./run.sh [MODEL] [--source TEXT]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=resources/packaging/packages.sh
. "$here/resources/packaging/packages.sh"

needs_display=yes
for argument; do
    case $argument in -h | --help | --help-all | -v | --version) needs_display=no ;; esac
done
if [ $needs_display = yes ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
    say "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set). Start this from a desktop, or" \
        "use the command line, which needs none: cmake --preset release && cmake --build --preset release, then" \
        "build/release/bin/headscope-cli --help"
    exit 1
fi

install_missing "${BUILD_PACKAGES[@]}" "${RUN_PACKAGES[@]}"
(cd "$here" && build_release headscope headscope-cli)
# From where it was called, so that relative paths among the arguments mean what they say.
exec "$here/build/release/bin/headscope" "$@"
