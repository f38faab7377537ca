#!/usr/bin/env python3
"""Prints figures of the structure of the code, of the working tree or of commits: figures.py [COMMIT...]

figures.py --check compares those of the working tree with upper limits and ends with 1 if one is exceeded. A limit is the figure as it
is until the target is reached: whoever makes a figure smaller makes its limit smaller.
"""
import collections
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("app/", "model/", "widgets/")

# Figure: the limit today, and the target.
LIMITS = {
    "views named in files of app/": (0, 0),
    "classes in app/results": (1, 3),
    "kinds of jobs": (9, 12),
    "files that name per-row": (2, 3),
    "exceptions of the include arrows": (0, 0),
    "classes in two and more .cpp": (0, 0),
    "files that paint axes and bars by themselves": (0, 0),
    "distances in numbers": (0, 0),
    "casts between int and std::size_t": (363, 400),
    "lines of product": (156496, 117000),
    "lines of tests": (79616, 63000),
    "dynamic_cast and qobject_cast in app/": (31, 38),
    "lines of MainWindow (.cpp)": (444, 450),
}


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def tree(commit):
    """Path to text, of the C++ of product and tests, tables that it includes among it."""
    wanted = lambda name: name.startswith((*PRODUCT, "tests/")) and name.endswith((".h", ".cpp", ".def"))
    if commit:
        names = filter(wanted, git("ls-tree", "-r", "--name-only", commit).split("\n"))
        return {name: git("show", f"{commit}:{name}") for name in names}
    # Without git, as in an archive of the sources, too.
    paths = (path for folder in (*PRODUCT, "tests/") for path in (ROOT / folder).rglob("*") if path.is_file())
    return {name: (ROOT / name).read_text() for name in filter(wanted, (str(path.relative_to(ROOT)) for path in paths))}


def views(files):
    """Name of the folder to the keys of its views and the classes that it declares."""
    found = collections.defaultdict(lambda: (set(), set()))
    for name, text in files.items():
        if not name.startswith("widgets/views/") or name.count("/") < 3:
            continue
        keys, classes = found[name.split("/")[2]]
        if name.endswith("_spec.cpp"):
            keys |= set(re.findall(r"\.key = \"([\w-]+)\"", text))
        if name.endswith(".h"):
            classes |= set(re.findall(r"^class (\w+)[^;{]*\{", text, re.M))
    return found


def naming_files(files):
    """View to the files of app/ that name it: by its key, an action of it ("key/action"), a class or an include.

    The command line, traces and configurations of trainings have fields in JSON that are called as some views are ("masks",
    "attribution", "positions"). There a word is the key of a view only in files that know of
    views, by an include of their specs, places or folders.
    """
    result = {}
    for view, (keys, classes) in views(files).items():
        types = [rf"\b{name}\b" for name in classes] + [f"widgets/views/{view}/"]
        word = re.compile("|".join([rf'"{key}(?:/[\w-]+)?"' for key in keys] + types))
        types_alone = re.compile("|".join(types))
        knows = re.compile(r'#include "widgets/(?:view_spec\.h|views/)')
        has_fields = lambda name, text: name.startswith(("app/cli/", "app/traces/", "app/training/")) and not knows.search(text)
        result[view] = sorted(name for name, text in files.items()
                              if name.startswith("app/") and (types_alone if has_fields(name, text) else word).search(text))
    return result


def cut_classes(files):
    """Classes whose members are defined in two and more .cpp files."""
    places = collections.defaultdict(set)
    for name, text in files.items():
        if name.endswith(".cpp"):
            for owner in re.findall(r"^(?!\s|//|#)[^\n;={}]*?\b([A-Z]\w+)::~?\w+\(", text, re.M):
                places[owner].add(name)
    declared = collections.Counter(c for text in files.values() for c in re.findall(r"^class (\w+)[^;]*\{", text, re.M))
    return {c: p for c, p in places.items() if len(p) >= 2 and declared[c] == 1}


def main_window(files):
    return sum(t.count("\n") for n, t in files.items() if re.search(r"/main_window(_\w+)?\.cpp$", n))


def kinds_of_jobs(files):
    for text in files.values():
        if body := re.search(r"enum class JobKind \{(.*?)\};", text, re.S):
            return len(re.findall(r"^\s*\w+(?: = [^,]*)?,", re.sub(r"//.*", "", body[1]), re.M))
    return 0


def exceptions(files):
    arrows = next(t for n, t in files.items() if n.endswith("tests/include_arrows_test.cpp"))
    return len(re.findall(r'^\s+"(?:app|model|widgets)/\S+ includes \S+",', arrows, re.M))


def figures(files):
    product = {n: t for n, t in files.items() if n.startswith(PRODUCT)}
    app = {n: t for n, t in files.items() if n.startswith("app/")}
    count = lambda pattern, texts: sum(len(re.findall(pattern, t)) for t in texts.values())
    return {
        "views named in files of app/": sum(map(bool, naming_files(files).values())),
        "classes in app/results": sum(len(re.findall(r"^class \w+[^;{]*\{", t, re.M)) for n, t in app.items()
                                      if n.startswith("app/results/") and n.endswith(".h")),
        "kinds of jobs": kinds_of_jobs(files),
        "files that name per-row": sum(bool(re.search(r"per-row|ColourPerRow|colourPerRow|\bperRow\b", t)) for n, t in product.items()
                                       if not n.startswith("widgets/tiles/")),
        "exceptions of the include arrows": exceptions(files),
        "classes in two and more .cpp": len(cut_classes(product)),
        "files that paint axes and bars by themselves": sum(
            bool(re.search(r"widgets/drawing/plot_frame\.h|<qcustomplot\.h>", t)) for n, t in product.items()
            if not n.startswith("widgets/plots/")),
        # Distances are those of widgets/drawing/spacing.h.
        "distances in numbers": count(r"\.?(?:set(?:ContentsMargins|(?:Horizontal|Vertical)?Spacing|Margin))\([^()]*\b[1-9]\d*\b",
                                      product),
        "casts between int and std::size_t": count(r"static_cast<(?:int|std::size_t)>\(|\bstd::size_t\(|(?<![\w<])int\((?=\w)", product),
        "lines of product": sum(t.count("\n") for t in product.values()),
        "lines of tests": sum(t.count("\n") for n, t in files.items() if n.startswith("tests/")),
        "dynamic_cast and qobject_cast in app/": count(r"\b(?:dynamic|qobject)_cast\b", app),
        "lines of MainWindow (.cpp)": main_window(product),
    }


def check():
    found, failed = figures(tree(None)), False
    for name, value in found.items():
        limit, target = LIMITS[name]
        exceeded = value > limit
        failed |= exceeded
        print(f"{name}: {value}, limit {limit}, target {target}" + ("  EXCEEDED" if exceeded else ""))
    return failed


def main():
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    columns = [figures(tree(commit)) for commit in sys.argv[1:] or [None]]
    for name in columns[0]:
        print(f"{name}: " + " -> ".join(str(column[name]) for column in columns))
    if not sys.argv[1:]:
        for view, names in naming_files(tree(None)).items():
            print(f"  {view}: {len(names)}")
        for name, places in sorted(cut_classes({n: t for n, t in tree(None).items() if n.startswith(PRODUCT)}).items()):
            print(f"  {name}: {', '.join(sorted(places))}")


if __name__ == "__main__":
    main()
