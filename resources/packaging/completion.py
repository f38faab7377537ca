#!/usr/bin/env python3
"""Writes what shells complete, from the programs' own --help: completion.py FOLDER_OF_PROGRAMS FOLDER_OF_MODELS OUT

OUT/headscope-cli is for bash, OUT/_headscope for zsh; both are for headscope, too.
"""
import sys
from pathlib import Path

from program_help import help_of

BASH = """# Completion of headscope and headscope-cli for bash, made from their --help.
_headscope()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= options= values= files=yes
    case ${1##*/} in
        headscope) command=window ;;
        *) [ "$COMP_CWORD" -eq 1 ] || command=${COMP_WORDS[1]} ;;
    esac
    case $command in
@CASES@
    esac
    case $command/$before in
@VALUES@
        @FREE@) ;;
        *)
            case $command/$word in
                */-*) values=$options files= ;;
                /*) values='@COMMANDS@' files= ;;
                train/*) ;;
                *) values='@MODELS@' ;;
            esac
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word"; [ -z "$files" ] || compgen -f -- "$word")
    [ -z "$files" ] || compopt -o filenames 2>/dev/null
}
complete -F _headscope headscope headscope-cli
"""

ZSH = """#compdef headscope headscope-cli
# Completion of headscope and headscope-cli for zsh, made from their --help.
local -a entries
local command=
if [[ ${words[1]:t} == headscope ]]; then command=window
elif (( CURRENT > 2 )); then command=${words[2]}
fi
case $command in
@CASES@
esac
case $command/${words[CURRENT-1]} in
@VALUES@
    @FREE@) _files; return ;;
esac
if [[ ${words[CURRENT]} == -* ]]; then
    _describe -o option entries
elif [[ -z $command ]]; then
    entries=(@COMMANDS@)
    _describe command entries
else
    [[ $command == train ]] || compadd -- @MODELS@
    _files
fi
"""


def described(name, text):
    """NAME:TEXT as zsh's _describe reads it, in quotes."""
    return "'" + (name.replace(":", "\\:") + ":" + text).replace("'", "'\\''") + "'"


def main(programs, models, out):
    program = help_of(programs / "headscope-cli")
    helps = {"": program} | {name: help_of(programs / "headscope-cli", name) for command in program.commands for name in command.names}
    if (programs / "headscope").exists():
        helps["window"] = help_of(programs / "headscope")
    bash_cases, zsh_cases, bash_values, zsh_values, free = [], [], [], [], []
    for command, shown in helps.items():
        pattern = command or "''"
        names = [name for option in shown.options for name in option.names]
        bash_cases.append(f"        {pattern}) options='{' '.join(names)}' ;;")
        zsh_cases.append(f"    {pattern}) entries=(" + " ".join(described(n, o.text) for o in shown.options for n in o.names) + ") ;;")
        for option in shown.options:
            for name in option.names:
                if option.values:
                    bash_values.append(f"        {command}/{name}) values='{' '.join(option.values)}' files= ;;")
                    zsh_values.append(f"    {command}/{name}) compadd -- {' '.join(option.values)}; return ;;")
                elif option.takes_value:
                    free.append(f"{command}/{name}")
    bundled = " ".join(sorted(path.name for path in models.iterdir() if path.is_dir()))
    commands = [(name, command.text) for command in program.commands for name in command.names]

    def fill(template, cases, values, commands):
        return (template.replace("@CASES@", "\n".join(cases)).replace("@VALUES@", "\n".join(values)).replace("@FREE@", " | ".join(free))
                .replace("@COMMANDS@", commands).replace("@MODELS@", bundled))

    out.mkdir(parents=True, exist_ok=True)
    (out / "headscope-cli").write_text(fill(BASH, bash_cases, bash_values, " ".join(name for name, _ in commands)))
    (out / "_headscope").write_text(fill(ZSH, zsh_cases, zsh_values, " ".join(described(*command) for command in commands)))


main(*map(Path, sys.argv[1:]))
