#!/usr/bin/env python3
"""Shows that a view is one folder and one line: takes views away, one at a time, and looks whether the rest works without.

deletion.py [VIEW...]     these folders of widgets/views, or all of them
deletion.py --by-lot      one of them

In a copy of the sources, build/deletion, whose own build folder is kept for the next view, the view's folder, its line in catalogue.def and the
tests that name it are taken away. Then the window, the command and the tests of what both share are built; these tests are run; the
window opens a small model and decodes; and the command draws the first view that is left. Ends with 1 if something of this fails.
Tests of the window are not built: most of them look at several views.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import figures

ROOT = Path(__file__).resolve().parents[2]
VIEWS = "widgets/views"
CATALOGUE = f"{VIEWS}/catalogue.def"
MODEL, SENTENCE = "toy-copy", "3 5 4"
BUILT_TESTS = r"tests/app/(?:choices|models|sessions|traces)/\w+_test\.cpp"
TARGETS = ("headscope", "headscope-cli", "headscope_pictures", "test.app")


def catalogue(text):
    """Folders of the views and of the lines that name them."""
    return re.findall(r"^(?:VIEW|OF_ITS_OWN)\((\w+)\)", text, re.M)


def folders(files):
    """Folder to the lines of catalogue.def whose specs stand in it."""
    lines = catalogue(files[CATALOGUE])
    found = {}
    for name, text in files.items():
        if name.startswith(f"{VIEWS}/") and name.endswith("_spec.cpp"):
            found.setdefault(name.split("/")[2], []).extend(l for l in lines if re.search(rf"\bviews::{l}\(\)", text))
    return found


def tests_of(view, files):
    """Files that name a view, by its folder, a class of it or its key, among the tests that are built."""
    keys, classes = figures.views(files)[view]
    words = [f"{VIEWS}/{view}/"] + [rf"\b{name}\b" for name in classes] + [rf'"{key}(?:/[\w-]+)?"' for key in keys]
    word = re.compile("|".join(words))
    return [name for name, text in files.items() if re.match(BUILT_TESTS, name) and word.search(text)]


def run(command, where, **options):
    return subprocess.run(command, cwd=where, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def copy_sources(where):
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, text=True,
                           capture_output=True).stdout.split("\0")
    wanted = {name for name in names if name and (ROOT / name).is_file()}
    for old in list(where.rglob("*")):
        name = str(old.relative_to(where))
        if old.is_file() and name not in wanted and not name.startswith("build/"):
            old.unlink()
    for name in wanted:
        here, there = ROOT / name, where / name
        if there.exists() and there.stat().st_size == here.stat().st_size and there.read_bytes() == here.read_bytes():
            continue  # its time stays, and what was built of it
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(here, there)
        shutil.copymode(here, there)


def take_away(view, lines, files, where):
    shutil.rmtree(where / VIEWS / view)
    for name in [*tests_of(view, files), *(n for n in files if n.startswith(f"tests/{VIEWS}/{view}/"))]:
        (where / name).unlink(missing_ok=True)
    for page in (where / "resources/manual").glob("*.md"):  # a test follows its examples
        examples = re.compile("|".join(rf"--view {key}\b" for line in lines for key in keys_of(line, files)))
        page.write_text("".join(line for line in page.read_text().splitlines(True) if not examples.search(line)))
    text = (where / CATALOGUE).read_text()
    for line in lines:
        text = re.sub(rf"^(?:VIEW|OF_ITS_OWN)\({line}\)\n", "", text, flags=re.M)
    (where / CATALOGUE).write_text(text)


def window_decodes(where):
    """Whether the window opens the model, decodes, and says that it has drawn the decoding."""
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", QT_LOGGING_RULES="headscope.timing.debug=true",
                           XDG_CONFIG_HOME=home, XDG_DATA_HOME=home)
        window = subprocess.Popen(["timeout", "60", where / "build/release/bin/headscope", MODEL, "--source", SENTENCE], text=True,
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = ""
        for line in window.stdout:
            said += line
            if "first heatmap" in line:
                window.terminate()
                return True, said
        return False, f"{said}The window did not decode.\n"


def draws(where, key):
    drawn = where / "build/first.svg"
    drawn.unlink(missing_ok=True)
    told = run([where / "build/release/bin/headscope-cli", "render", MODEL, "--source", SENTENCE, "--view", key, "--out", drawn], where,
               env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    return drawn.exists() and told.returncode == 0, told.stdout


def problem(view, lines, files, where):
    """What fails without the view; nothing if all works."""
    copy_sources(where)
    take_away(view, lines, files, where)
    told = run(["cmake", "--preset", "release", "-G", "Ninja"], where)
    if told.returncode:
        return told.stdout
    told = run(["cmake", "--build", "--preset", "release", "-j2", "--target", *TARGETS], where)
    if told.returncode:
        return told.stdout[-6000:]
    told = run(["ctest", "--preset", "release", "-R", r"^app\.(choices|models|sessions|traces)\."], where)
    if told.returncode:
        return told.stdout[-6000:]
    works, said = window_decodes(where)
    if not works:
        return said
    keys = [key for line in catalogue((where / CATALOGUE).read_text()) for key in keys_of(line, files)]
    for key in keys:  # the first that this model can show
        works, said = draws(where, key)
        if works:
            return None
    return said


def keys_of(line, files):
    for name, text in files.items():
        if name.startswith(f"{VIEWS}/") and name.endswith("_spec.cpp") and re.search(rf"\bviews::{line}\(\)", text):
            return re.findall(r'\.key = "([\w-]+)"', text)
    return []


def main():
    files = figures.tree(None)
    views = folders(files)
    asked = sys.argv[1:] or list(views)
    if asked == ["--by-lot"]:
        asked = [random.choice(list(views))]
    if unknown := set(asked) - set(views):
        sys.exit(f"no such folder in {VIEWS}: {', '.join(unknown)}")
    where = ROOT / "build/deletion"
    where.mkdir(parents=True, exist_ok=True)
    failed = False
    for view in asked:
        found = problem(view, views[view], files, where)
        failed |= found is not None
        print(f"{view}: {'works without' if found is None else 'FAILS'}", flush=True)
        if found:
            print(found)
    sys.exit(failed)


if __name__ == "__main__":
    main()
