#!/usr/bin/env python3
"""Prints figures of the structure of the code, of the working tree or of a commit: figures.py [COMMIT...]

Views are the folders of widgets/views of the working tree. Of a commit before these were there a view's own files are those
that have the same names.
"""
import collections
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("app/", "model/", "widgets/")


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def tree(commit):
    """Path to text, of the product's C++."""
    if commit:
        names = git("ls-tree", "-r", "--name-only", commit).split("\n")
    else:
        names = git("ls-files", "--cached", "--others", "--exclude-standard").split("\n")
    names = [n for n in names if n.startswith(PRODUCT) and n.endswith((".h", ".cpp"))]
    if commit:
        return {n: git("show", f"{commit}:{n}") for n in names}
    return {n: (ROOT / n).read_text() for n in names if (ROOT / n).exists()}


def views():
    """Name of the folder to the names of its files and of the QWidget classes that they declare."""
    found = {}
    for folder in sorted((ROOT / "widgets/views").iterdir()):
        if not folder.is_dir():
            continue
        classes = set()
        for header in folder.glob("*.h"):
            for name, bases in re.findall(r"^class (\w+)(?: final)? : public ([^{]*)", header.read_text(), re.M):
                if re.search(r"FigureSource|\bView\b", bases):
                    classes.add(name)
        found[folder.name] = ({f.name for f in folder.iterdir()}, classes)
    return found


def naming_files(files, known):
    """View to the files that name one of its classes outside of its own files and those of its answers.

    ActionId::HeadTable is an action, not the view of that name.
    """
    result = {}
    for view, (own, classes) in known.items():
        if not classes:
            continue
        word = re.compile(r"(?<!ActionId::)\b(" + "|".join(sorted(classes)) + r")\b")
        answers = re.compile(rf"app/results/{view}_")
        result[view] = sorted(n for n, text in files.items() if Path(n).name not in own and not answers.match(n)
                              and not n.startswith("app/window/actions.") and word.search(text))
    return result


def cut_classes(files):
    """Classes whose members are defined in three and more .cpp files."""
    places = collections.defaultdict(set)
    for name, text in files.items():
        if name.endswith(".cpp"):
            for owner in re.findall(r"^(?!\s|//|#)[^\n;={}]*?\b([A-Z]\w+)::~?\w+\(", text, re.M):
                places[owner].add(name)
    declared = collections.Counter(c for text in files.values() for c in re.findall(r"^class (\w+)[^;]*\{", text, re.M))
    return {c: p for c, p in places.items() if len(p) >= 3 and declared[c] <= 1}


def main_window(files):
    parts = {n: t for n, t in files.items() if re.search(r"/main_window(_\w+)?\.(h|cpp)$", n)}
    header = next(t for n, t in parts.items() if n.endswith("main_window.h"))
    declaration = header[header.index("class MainWindow"):]
    members = re.findall(r"\b\w+_(?: = [^;]*|\{[^;]*\})?;", re.sub(r"//.*", "", declaration))
    return sum(t.count("\n") for n, t in parts.items() if n.endswith(".cpp")), len(members)


def figures(commit):
    files = tree(commit)
    named = naming_files(files, views())
    folders = collections.Counter(str(Path(n).parent) for n in files)
    lines, members = main_window(files)
    app = {n: t for n, t in files.items() if n.startswith("app/")}
    most = max(named, key=lambda v: len(named[v]))
    cut = cut_classes(files)
    return [
        ("lines of product", sum(t.count("\n") for t in files.values())),
        ("files that name a view outside of its folder, mean", round(sum(map(len, named.values())) / len(named), 1)),
        (f"the same, most", f"{len(named[most])} ({most})"),
        ("lines of MainWindow (.cpp)", lines),
        ("members of MainWindow", members),
        ("dynamic_cast and qobject_cast in app/", sum(len(re.findall(r"\b(?:dynamic|qobject)_cast\b", t)) for t in app.values())),
        ("connections to refusals", sum(t.count("&RunQueue::refused") for t in app.values())),
        ("files in the largest folder", "{1} ({0})".format(*folders.most_common(1)[0])),
        ("files flat in widgets/", folders["widgets"]),
        ("folders of views", len({n.split("/")[2] for n in files if n.startswith("widgets/views/") and n.count("/") > 2})),
        ("classes in three and more .cpp", f"{len(cut)} ({', '.join(sorted(cut))})"),
    ]


def main():
    columns = [figures(commit) for commit in sys.argv[1:] or [None]]
    for row in zip(*columns):
        print(f"{row[0][0]}: " + " -> ".join(str(value) for _, value in row))
    if len(columns) == 1 and not sys.argv[1:]:
        for view, names in naming_files(tree(None), views()).items():
            print(f"  {view}: {len(names)}")


if __name__ == "__main__":
    main()
