#!/bin/sh
# Fails where a program or library in a folder needs one outside it, glibc's excepted: tests/packaging/libraries_of.sh FOLDER
set -eu
folder=$(realpath "$1") count=0
outside=$(mktemp)
find "$folder" -type f \( -name '*.so*' -o -path '*/bin/headscope*' ! -name '*.conf' \) >"$outside.files"
while read -r file; do
    count=$((count + 1))
    # NAME => PATH (ADDRESS), or PATH (ADDRESS), or NAME => not found
    ldd "$file" | sed -E 's/^\s*//; s/ \(0x[0-9a-f]+\)$//; s/^.* => //' |
        grep -v -E -e "^$folder/" -e '^linux-vdso|/ld-linux|/lib(c|m|dl|rt|pthread|resolv|util|mvec)\.so\.[0-9]+$|^statically' |
        sed "s|^|${file#"$folder"/}: |" >>"$outside" || true
done <"$outside.files"
sort -u "$outside"
found=$(wc -l <"$outside")
rm "$outside" "$outside.files"
echo "$count programs and libraries, $found names outside the folder and glibc"
[ "$found" -eq 0 ]
