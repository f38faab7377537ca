#!/usr/bin/env bash
# Installs what is missing, builds Headscope and runs its tests without a display. Arguments go to ctest: ./test.sh -R files
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. resources/packaging/packages.sh

install_missing "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
build_release all
export QT_QPA_PLATFORM=offscreen
exec ctest --preset release --parallel 2 "$@"
