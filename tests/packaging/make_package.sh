#!/usr/bin/env bash
# Installs what is missing and makes a package or an archive: tests/packaging/make_package.sh deb|archive
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=resources/packaging/packages.sh
. resources/packaging/packages.sh
install_missing "${BUILD_PACKAGES[@]}" "${RUN_PACKAGES[@]}" "${PACKAGING_PACKAGES[@]}"
[ -e build/release/CMakeCache.txt ] || export CMAKE_GENERATOR=Ninja # it would be make, which nothing else needs
cmake --workflow --preset "$1"
