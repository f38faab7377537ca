#!/usr/bin/env python3
"""The man pages are made without warnings of troff, and say what the manual says: man_pages_test.py PROGRAMS"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
if not shutil.which("man") or not shutil.which("troff"):
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "-B", RESOURCES / "packaging/man_pages.py", sys.argv[1], RESOURCES / "manual", folder], check=True)
    for page in sorted(Path(folder).iterdir()):
        shown = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                               env=os.environ | {"LC_ALL": "C.UTF-8", "MANWIDTH": "120", "MANPAGER": "cat"})
        if shown.returncode or shown.stderr:
            sys.exit(f"{page.name}: {shown.stderr or shown.returncode}")
        if page.name == "headscope-cli.1.gz":
            options = set(re.findall(r"`(--[\w-]+)", (RESOURCES / "manual/command-line.md").read_text()))
            if missing := options - set(re.findall(r"--[\w-]+", shown.stdout)):
                sys.exit(f"{page.name} lacks {sorted(missing)}")
