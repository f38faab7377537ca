#!/usr/bin/env python3
"""What bash completes, beside what --help says, read in another way than by what makes the completion: completion_test.py PROGRAMS"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
programs = Path(sys.argv[1])
if not shutil.which("bash"):
    sys.exit(77)

COMPLETE = """. "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_headscope "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def help_text(program, *command):
    return subprocess.run([programs / program, *command, "--help"], check=True, capture_output=True, text=True).stdout


def expect(found, wanted, what):
    if set(found) != set(wanted):
        sys.exit(f"{what}: only completed {sorted(set(found) - set(wanted))}, only in the help {sorted(set(wanted) - set(found))}")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "-B", RESOURCES / "packaging/completion.py", programs, RESOURCES / "models", folder], check=True)

    def completed(*words):
        said = subprocess.run(["bash", "-c", COMPLETE, "bash", f"{folder}/headscope-cli", *words], cwd=RESOURCES / "icons", check=True, capture_output=True, text=True)
        return said.stdout.split()

    commands = [
        name for line in help_text("headscope-cli").partition("Subcommands:")[2].splitlines() if line.startswith("  ")
        for name in line[2:30].replace(",", " ").split()]
    expect(completed("headscope-cli", ""), commands, "commands")
    for command in commands:
        options = set(re.findall(r"^ +(?:-h, *)?(--[\w-]+)", help_text("headscope-cli", command), re.M))
        expect(completed("headscope-cli", command, "--"), options, command)
    views = re.search(r"--view TEXT:\{(.*?)\}", help_text("headscope-cli", "render"), re.S)[1]
    expect(completed("headscope-cli", "render", "model", "--view", ""), re.sub(r"\s", "", views).split(","), "views")
    models = [path.name for path in (RESOURCES / "models").iterdir() if path.is_dir()]
    expect([word for word in completed("headscope-cli", "info", "") if word != "headscope.svg"], models, "models")
    if (programs / "headscope").exists():
        expect(completed("headscope", "--"), re.findall(r"^ +(?:-h, *)?(--[\w-]+)", help_text("headscope"), re.M), "headscope")
    if shutil.which("zsh"):
        subprocess.run(["zsh", "-n", f"{folder}/_headscope"], check=True)
