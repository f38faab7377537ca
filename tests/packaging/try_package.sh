#!/bin/sh
# Installs a package, or unpacks an archive, and starts both programs: tests/packaging/try_package.sh FILE
# For systems on which nothing else is, as tests/on_debian.sh makes them: it installs a display server and a font, as root.
set -eu
file=$1 folder=$(mktemp -d)
export DEBIAN_FRONTEND=noninteractive XDG_CONFIG_HOME="$folder/home" XDG_DATA_HOME="$folder/home" XDG_RUNTIME_DIR="$folder"
install() { apt-get -q install -y --no-install-recommends "$@" </dev/null >"$folder/apt.log" 2>&1 || { cat "$folder/apt.log"; exit 1; }; }
fail() {
    echo "$*" >&2
    exit 1
}

apt-get -q update >/dev/null
case $file in
    *.deb) install "$file" && programs=/usr/bin ;;
    *)
        [ -z "$(dpkg-query -W -f '${Package} ' 'libqt*' 'libtorch*' 2>/dev/null)" ] || fail "Qt or LibTorch is installed: this would prove nothing."
        tar -xzf "$file" -C "$folder"
        mv "$folder"/headscope-* "$folder/somewhere else"
        programs="$folder/somewhere else/bin"
        "$(dirname "$0")/libraries_of.sh" "$folder/somewhere else"
        ;;
esac
install xvfb fonts-dejavu-core

"$programs/headscope-cli" --version
"$programs/headscope-cli" translate tatoeba-en-de "I like it." --quiet
"$programs/headscope-cli" render tatoeba-en-de --source "I like it." --view heatmap --out "$folder/heatmap.png" --quiet
[ -s "$folder/heatmap.png" ] || fail "No picture was drawn."

# What the window shows is in the file Xvfb_screen0 afterwards, for xwud or ImageMagick (xwd:Xvfb_screen0).
Xvfb :77 -screen 0 1440x900x24 -fbdir "$folder" >/dev/null 2>&1 &
server=$!
: >"$folder/window.log"
sleep 2
DISPLAY=:77 QT_LOGGING_RULES=headscope.timing.debug=true "$programs/headscope" 2>"$folder/window.log" &
window=$!
for _ in $(seq 120); do
    ! grep -q "first heatmap" "$folder/window.log" || break
    sleep 0.5
done
sleep 2
cat "$folder/window.log"
cp "$folder/Xvfb_screen0" .
grep -q "first heatmap" "$folder/window.log" || fail "No heatmap was shown."
status=0
kill $window && wait $window || status=$?
[ $status -eq 143 ] || fail "The window ended with $status."
kill $server
rm -r "$folder"
echo "Both programs of ${file##*/} start."
