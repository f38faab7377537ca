#!/usr/bin/env bash
# Makes all pictures of README.md and of the manual with the real programs. Look at each of them afterwards.
# resources/manual/make_pictures.sh [BUILD FOLDER]; needs Xvfb, openbox, xdotool and ImageMagick.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$(cd "${1:-$here/../../build/release}" && pwd)/bin
pictures=$here/pictures
sentence="The old man gave his daughter a red book."
scratch=$(mktemp -d)
programs=()
finish() {
    [ ${#programs[@]} -eq 0 ] || kill "${programs[@]}" 2>/dev/null || true
    wait
    rm -rf "$scratch"
}
trap finish EXIT
say() { printf '%s\n' "$*" >&2; }

# --- Single views and the film.

render() { # render FILE ARGUMENTS
    say "$1"
    "$bin/headscope-cli" render "${@:2}" --quiet --out "$pictures/$1" >/dev/null
}
# The commands in command-line.md and figures.md draw these.
render heatmap.png tatoeba-en-de --source "$sentence" --view heatmap --head cross.1.2 --step 5
render decoding.png tatoeba-en-de --source "$sentence" --view heatmap --head cross.1.2 --animate --width 620 --height 510 --dpi 96
render overview.png tatoeba-en-de --source "$sentence" --view overview --head cross.1.2 --width 1000 --height 760 --dpi 96
render architecture.png tatoeba-en-de --source "$sentence" --view architecture --dpi 96
render logit-lens.png tatoeba-en-de --source "$sentence" --view logit-lens --step 5 --dpi 96
render positions.png tatoeba-en-de --source "$sentence" --view positions --page table --dpi 96
render training-curves.png imdb-classifier --view training-curves --dpi 96

# --- The window, on a screen of its own: neither the desktop nor settings of whoever runs this are seen in it.

export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_CACHE_HOME=$scratch QT_QPA_PLATFORM=xcb QT_SCALE_FACTOR=1
mkdir -p "$scratch/headscope"
printf '[start]\nintroduced=true\n' >"$scratch/headscope/headscope.conf" # the window as it is after its first start
Xvfb -displayfd 3 -screen 0 1600x1000x24 3>"$scratch/display" 2>/dev/null &
programs+=($!)
for ((i = 0; i < 100; ++i)); do
    [ ! -s "$scratch/display" ] || break
    sleep 0.1
done
DISPLAY=:$(cat "$scratch/display")
export DISPLAY
openbox 2>/dev/null &
programs+=($!)

settle() { # until nothing in the window has changed for two seconds, with the pointer where no tooltip comes from
    local before=none now=
    xdotool mousemove 1599 999
    for ((i = 0; i < 60; ++i)); do
        sleep 2
        import -silent -window "$window" "$scratch/now.png"
        now=$(identify -quiet -format %# "$scratch/now.png")
        [ "$now" != "$before" ] || return 0
        before=$now
    done
    say "The window does not come to rest."
    return 1
}
open_window() { # open_window ARGUMENTS
    "$bin/headscope" "$@" &
    programs+=($!)
    window=$(xdotool search --sync --onlyvisible --pid $! --name Headscope | tail -n 1)
    xdotool windowactivate --sync "$window"
    settle
    keys Escape
}
keys() {
    for key; do
        xdotool key --clearmodifiers "$key"
        sleep 0.3
    done
}
action() { # action WORDS: what the search finds first
    keys ctrl+shift+p
    sleep 1
    xdotool type --delay 50 "$1"
    keys Return
    settle
}
take() { # take FILE
    settle
    say "$1"
    convert "$scratch/now.png" -strip -dither None -colors 255 "PNG8:$pictures/$1"
}

open_window tatoeba-en-de --source "$sentence"
keys Right Right Right Right Right
take window.png
action "Dark"
action "Positions"
take window-dark.png
