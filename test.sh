#!/usr/bin/env bash
# Installs what is missing, builds Headscope and runs its tests without a display. Arguments go to ctest: ./test.sh -R files
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. resources/packaging/packages.sh

install_missing "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
build_release all
export QT_QPA_PLATFORM=offscreen
# Qt's offscreen platform says it so often that what failed would be cut from a log.
ctest --preset release --parallel 2 "$@" | grep --line-buffered -v "does not support propagateSizeHints"
