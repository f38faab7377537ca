"""Finds Headscope's window and opens a recording in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional


def program() -> Optional[str]:
    """Returns the program that the environment variable HEADSCOPE names, or `headscope` of the search path."""
    named = os.environ.get("HEADSCOPE")
    if not named:
        return shutil.which("headscope")
    found = shutil.which(named)
    if not found:
        raise FileNotFoundError(f"HEADSCOPE: expected the path of the program headscope, found {named}")
    return found


def open_window(path: Path) -> Path:
    """Opens the window, which stays when Python ends. Where it cannot be opened, says how to open the file elsewhere."""
    found = program()
    has_screen = sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    if found and has_screen:
        subprocess.Popen([found, str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
    else:
        why = "no screen here" if found else "headscope is not installed here, or HEADSCOPE does not name it"
        print(f"The recording is {path} ({why}). Open it on any computer with Headscope: headscope {path.name}")
    return path
