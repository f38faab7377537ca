#!/usr/bin/env python3
"""Do the tests see? Changes lines drawn by lot, one small change a line, and prints what the tests do not notice.

    tests/mutation/mutate.py --work /tmp/mutants --lines model=150,widgets,app=100 --seed 1

A mutated copy of the sources is built once, with a switch for every change; the environment says which is on. Each change
meets the tests of its folder that reach it. The working copy and the results stay in the work folder: the same command goes
on where it was stopped; --again takes the checkout as it is now, with the same changes, and asks the survivors again.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True

import changes  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
HEADER = '#include "tests/mutation/active_mutant.h"\n'
REASONS = Path(__file__).with_name("reasons.txt")
LEAST_LIMIT = 20  # seconds: a loaded machine is no endless loop
MOST_TRIED = 8  # changes of a line that do not compile, before another line is drawn
LIMITS = "ulimit -c 0; ulimit -v 12582912; exec \"$@\""  # what never stops asking for memory ends


def say(text):
    print(text, flush=True)


def fail(text):
    sys.exit(f"mutate.py: {text}")


# --- drawing

def rank(seed, path, text, occurrence):
    """Where a line stands in the lot; the same whatever else changes in the sources."""
    return hashlib.sha256(f"{seed}\n{path}\n{text}\n{occurrence}".encode()).hexdigest()


def groups_of(text):
    """"model=150,widgets,app=100" -> [(("model",), 150), (("widgets", "app"), 100)]"""
    groups, folders = [], []
    for part in text.split(","):
        folder, _, count = part.partition("=")
        folders.append(folder.strip().rstrip("/"))
        if count:
            groups.append((tuple(folders), int(count)))
            folders = []
    if folders or not groups:
        raise argparse.ArgumentTypeError("such as model=150,widgets,app=100")
    return groups


def lines_of(path, source, seed):
    """(rank, path, line, its changes) of each line that can be changed."""
    lines = source.text.split("\n")
    by_line = collections.defaultdict(list)
    for change in source.changes:
        by_line[change.line].append(change)
    seen = collections.Counter()
    result = []
    for line in sorted(by_line):
        text = lines[line - 1].strip()
        result.append((rank(seed, path, text, seen[text]), path, line, by_line[line]))
        seen[text] += 1
    return result


def in_order(ranked):
    """The changes of a line in the order in which they are tried: kinds have equal chances."""
    order, _, _, all_changes = ranked
    chance = random.Random(order)
    kinds = collections.defaultdict(list)
    for change in all_changes:
        kinds[change.kind].append(change)
    for kind in kinds.values():
        chance.shuffle(kind)
    result = []
    while kinds:
        kind = chance.choice(sorted(kinds))
        result.append(kinds[kind].pop())
        if not kinds[kind]:
            del kinds[kind]
    return sorted(result, key=lambda change: change.constant)  # a switch if there can be one


# --- the mutated copy

class Copy:
    """A copy of the checkout in which lines are changed."""

    def __init__(self, folder):
        self.source = folder / "source"
        self.build = self.source / "build" / "release"

    def take(self, mutated=None):
        """The checkout as it is now, with these texts in place of some files. What stays the same is not built again."""
        mutated = mutated or {}
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                                capture_output=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (ROOT / name).is_file()}
        for name in wanted:
            target = self.source / name
            new = mutated[name].encode() if name in mutated else (ROOT / name).read_bytes()
            if not target.exists() or target.read_bytes() != new:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(new)
                target.chmod((ROOT / name).stat().st_mode & 0o777)
        for path in self.source.rglob("*"):
            name = path.relative_to(self.source)
            if name.parts[0] != "build" and path.is_file() and str(name) not in wanted and "__pycache__" not in name.parts:
                path.unlink()

    def configure(self):
        if (self.build / "CMakeCache.txt").exists():
            return
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        # Switches make warnings, which nobody reads here.
        run(["cmake", "--preset", "release", *generator, "-DCMAKE_CXX_FLAGS=-w"], self.source)

    def make(self, targets, parallel):
        wanted = [word for target in targets for word in ("--target", target)]
        run(["cmake", "--build", str(self.build), "--parallel", str(parallel), *wanted], self.source)

    def commands(self):
        """How each source file is compiled, those of unity builds too."""
        result = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            if entry["file"].endswith("cmake_pch.hxx.cxx") and not Path(entry["file"][:-4] + ".gch").exists():
                subprocess.run(shlex.split(entry["command"]), cwd=entry["directory"], check=True)
            command = shlex.split(entry["command"]) if "command" in entry else entry["arguments"]
            while command and not re.search(r"(\+\+|gcc|clang|cc)(-\d+)?$", command[0]) or command[0].endswith("ccache"):
                command = command[1:]
            path = Path(entry["directory"], entry["file"]).resolve()
            files = [path]
            if "/Unity/" in str(path) and path.exists():
                files = [Path(name) for name in re.findall(r'#include "(/[^"]+\.cpp)"', path.read_text())]
            for file in files:
                if file.is_relative_to(self.source.resolve()):
                    name = str(file.relative_to(self.source.resolve()))
                    result[name] = (self._checking(command, entry["file"], file), entry["directory"])
        return result

    @staticmethod
    def _checking(command, old, new):
        result = []
        skip = False
        for word in command:
            if skip or word in ("-c", old):
                skip = False
            elif word == "-o":
                skip = True
            else:
                result.append(word)
        return [*result, "-fsyntax-only", "-w", "-Werror=return-local-addr", str(new)]

    def write(self, name, text):
        path = self.source / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def run(command, folder):
    say("$ " + shlex.join(command))
    if subprocess.run(command, cwd=folder).returncode != 0:
        fail("this failed: " + shlex.join(command))


def edits_of(mutants):
    """Of changes with their numbers; what becomes of `constexpr` once."""
    result = []
    for number, change in mutants:
        result.append(change.make(number))
        if change.keyword and change.keyword not in result:
            result.append(change.keyword)
    return result


class Draw:
    """Draws lines and finds for each a change that compiles."""

    def __init__(self, copy, parallel):
        self.copy = copy
        self.parallel = parallel
        self.commands = copy.commands()
        self.sources = {}
        self.taken = collections.defaultdict(list)  # file -> [(number, change)] that are switches
        self.mutants = []
        self.dropped = 0
        self.lock = threading.Lock()
        self.number = 0

    def source(self, name):
        if name not in self.sources:
            self.sources[name] = changes.Source((ROOT / name).read_text())
        return self.sources[name]

    def lines(self, folders, seed):
        result = []
        for name in sorted(self.commands):
            if any(name.startswith(folder + "/") or name == folder for folder in folders):
                result += lines_of(name, self.source(name), seed)
        return sorted(result, key=lambda line: line[0])

    def draw(self, folders, count, seed):
        waiting = self.lines(folders, seed)
        say(f"{', '.join(folders)}: {len(waiting)} lines hold what can be changed; {count} are drawn")
        group = ",".join(folders)
        found = []
        while len(found) < count and waiting:
            batch, waiting = waiting[:count - len(found)], waiting[count - len(found):]
            by_file = collections.defaultdict(list)
            for line in batch:
                by_file[line[1]].append(line)
            with concurrent.futures.ThreadPoolExecutor(self.parallel) as pool:
                for mutants in pool.map(lambda item: self._resolve(*item), by_file.items()):
                    found += mutants
            say(f"  {len(found)} of {count}")
        for mutant in found:
            mutant["group"] = group
        self.mutants += found

    def all_of(self, name, line, seed):
        """Every change of one line."""
        ranked = [entry for entry in lines_of(name, self.source(name), seed) if entry[2] == line]
        if not ranked:
            fail(f"{name}:{line} holds nothing that can be changed")
        for change in ranked[0][3]:
            self.mutants += self._resolve_one(name, ranked[0], [change])
        for mutant in self.mutants:
            mutant["group"] = "only"

    def _compiles(self, name, edits, switches=True):
        text = self.source(name).text
        self.copy.write(name, (HEADER if switches else "") + changes.apply(text, edits))
        command, folder = self.commands[name]
        return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def _next(self):
        with self.lock:
            self.number += 1
            return self.number

    def _resolve(self, name, lines):
        result = []
        # Mostly all compile at once.
        together = []
        for line in lines:
            change = in_order(line)[0]
            number = self._next()
            edit = change.make(number)
            if change.constant or not changes.fits(edit, edits_of(self.taken[name] + [(n, c) for n, c, _ in together])):
                together = None
                break
            together.append((number, change, line))
        if together and self._compiles(name, edits_of(self.taken[name] + [(n, c) for n, c, _ in together])):
            for number, change, line in together:
                self.taken[name].append((number, change))
                result.append(self._mutant(number, line, change, False))
        else:
            for line in lines:
                result += self._resolve_one(name, line, in_order(line))
        self._finish(name)
        return result

    def _resolve_one(self, name, line, candidates):
        taken = edits_of(self.taken[name])
        for change in candidates[:MOST_TRIED]:
            number = self._next()
            edit = change.make(number)
            if not changes.fits(edit, [e for e in taken if e is not change.keyword]):
                continue
            if not change.constant and self._compiles(name, edits_of(self.taken[name] + [(number, change)])):
                self.taken[name].append((number, change))
                self._finish(name)
                return [self._mutant(number, line, change, False)]
            if change.plain.pieces != ["another value"] and self._compiles(name, [change.plain], switches=False):
                self._finish(name)
                return [self._mutant(number, line, change, True)]
        with self.lock:
            self.dropped += 1
        self._finish(name)
        return []

    def _finish(self, name):
        """What was tried is taken back."""
        self.copy.write(name, mutated(self.source(name).text, self.taken[name]))

    def _mutant(self, number, line, change, rebuild):
        order, name, _, _ = line
        text = self.source(name).text
        mutant = {"number": number, "order": order, "file": name, "line": change.line, "kind": change.kind,
                  "original": change.original, "changed": change.changed,
                  "text": text.split("\n")[change.line - 1].strip(), "rebuild": rebuild, "state": "waiting"}
        if rebuild:
            mutant["plain"] = changes.apply(text, [change.plain])
        return mutant


def mutated(text, mutants):
    return HEADER + changes.apply(text, edits_of(mutants)) if mutants else text


def find_again(state):
    """The drawn changes in the checkout as it is now: the mutated text of each file. Those that are gone are counted."""
    texts = {}
    kept = []
    by_file = collections.defaultdict(list)
    for mutant in state["mutants"]:
        by_file[mutant["file"]].append(mutant)
    for name, mutants in by_file.items():
        if not (ROOT / name).exists():
            continue
        source = changes.Source((ROOT / name).read_text())
        lines = {line[0]: line for line in lines_of(name, source, state["seed"])}
        taken = []
        for mutant in mutants:
            wanted = (mutant["kind"], mutant["original"], mutant["changed"])
            change = next((c for c in lines.get(mutant["order"], (0, 0, 0, []))[3]
                           if (c.kind, c.original, c.changed) == wanted), None)
            if change is None:
                continue
            mutant["line"] = change.line
            kept.append(mutant)
            if mutant["rebuild"]:
                mutant["plain"] = changes.apply(source.text, [change.plain])
            else:
                taken.append((mutant["number"], change))
        texts[name] = mutated(source.text, taken)
    state["gone"] = state.get("gone", 0) + len(state["mutants"]) - len(kept)
    state["mutants"] = kept
    return texts


# --- tests

class Gate:
    """Some tests want the machine for themselves."""

    def __init__(self):
        self.condition = threading.Condition()
        self.inside = 0
        self.alone = False

    def enter(self, alone):
        with self.condition:
            self.condition.wait_for(lambda: not self.alone and (not alone or self.inside == 0))
            self.inside += 1
            self.alone = alone

    def leave(self, alone):
        with self.condition:
            self.inside -= 1
            self.alone = self.alone and not alone
            self.condition.notify_all()


GATE = Gate()


class Test:
    def __init__(self, entry):
        self.name = entry["name"]
        self.command = entry.get("command", [])
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.folder = properties.get("WORKING_DIRECTORY", ".")
        self.alone = bool(properties.get("RUN_SERIAL", False))
        self.limit = properties.get("TIMEOUT", 600)
        variables = properties.get("ENVIRONMENT", [])
        self.environment = dict(v.split("=", 1) for v in ([variables] if isinstance(variables, str) else variables))

    def is_there(self):
        return bool(self.command) and Path(self.command[0]).exists()

    def run(self, variables, limit):
        """(passed, ended before the limit, seconds). In a home of its own, which is thrown away."""
        home = tempfile.mkdtemp(prefix="headscope-mutant-")
        os.mkdir(os.path.join(home, "runtime"), 0o700)
        os.mkdir(os.path.join(home, "tmp"))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        environment.update(self.environment)
        environment.update({"HOME": home, "XDG_RUNTIME_DIR": home + "/runtime", "TMPDIR": home + "/tmp"}, **variables)
        GATE.enter(self.alone)
        begin = time.monotonic()
        process = subprocess.Popen(["/bin/sh", "-c", LIMITS, "sh", *self.command], cwd=self.folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            GATE.leave(self.alone)
            shutil.rmtree(home, ignore_errors=True)
        return status == 0, status is not None, time.monotonic() - begin


def tests_of(copy):
    listed = subprocess.run(["ctest", "--test-dir", str(copy.build), "--show-only=json-v1"], check=True, capture_output=True,
                            text=True).stdout
    return [test for test in map(Test, json.loads(listed)["tests"]) if test.is_there() and is_class(test)]


def is_class(test):
    return any(test.name.startswith(folder) for folder in ("model.", "widgets.", "gallery.", "app."))


def folders_of(name):
    """What the names of the tests of a file's folder begin with."""
    parts = name.split("/")
    if parts[0] == "model":
        return (f"model.{parts[1]}.",)
    return ("widgets.", "gallery.") if parts[0] == "widgets" else ("app.",)


def is_named_after(test, name):
    """Whether a test is that of a file, or of what the file was split from."""
    stem = Path(name).stem
    tested = test.name.split(".")[-1].removesuffix("_test")
    return stem == tested or stem.startswith(tested + "_") or tested.startswith(stem + "_")


class Run:
    def __init__(self, work, copy, state, parallel, end):
        self.work = work
        self.copy = copy
        self.state = state
        self.parallel = parallel
        self.end = end
        self.lock = threading.Lock()
        self.tests = tests_of(copy)
        if not self.tests:
            fail("no test was built")

    def save(self):
        with self.lock:
            path = self.work / "state.json"
            path.with_suffix(".new").write_text(json.dumps(self.state, indent=1))
            path.with_suffix(".new").replace(path)

    def is_over(self):
        return self.end is not None and time.monotonic() > self.end

    def each(self, items, work):
        """Several at once, until the time is over."""
        with concurrent.futures.ThreadPoolExecutor(self.parallel) as pool:
            list(pool.map(lambda item: None if self.is_over() else work(item), items))
        self.save()

    # What each test reaches.

    def reach(self, wanted):
        times = self.state["tests"]
        waiting = [test for test in self.tests if test.name not in times and wanted(test)]
        if waiting:
            say(f"{len(waiting)} tests without a change: what do they reach?")

        def one(test):
            folder = self.work / "reached" / test.name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            passed, _, seconds = test.run({"HEADSCOPE_MUTANTS_REACHED": str(folder)}, test.limit)
            if not passed:
                passed, _, seconds = test.run({"HEADSCOPE_MUTANTS_REACHED": str(folder)}, test.limit)
            with self.lock:
                times[test.name] = {"seconds": seconds, "passed": passed,
                                    "reached": sorted(int(path.name) for path in folder.iterdir())}
            if not passed:
                say(f"  {test.name} fails without a change: it is left out")
        self.each(sorted(waiting, key=lambda test: test.alone), one)

    def reaching(self, mutant, own):
        """The tests of its folder (or all others) that reach a change, the likely and cheap ones first."""
        folders = folders_of(mutant["file"])
        result = []
        for test in self.tests:
            known = self.state["tests"].get(test.name)
            if known and known["passed"] and test.name.startswith(folders) == own and (
                    mutant["rebuild"] or mutant["number"] in known["reached"]):
                result.append((not is_named_after(test, mutant["file"]), known["seconds"], test.name, test))
        return [test for *_, test in sorted(result, key=lambda entry: entry[:3])]

    def finds(self, test, mutant):
        limit = max(LEAST_LIMIT, 5 * self.state["tests"][test.name]["seconds"])
        variables = {} if mutant["rebuild"] else {"HEADSCOPE_MUTANT": str(mutant["number"])}
        passed, ended, _ = test.run(variables, limit)
        if not passed and ended:
            passed, ended, _ = test.run(variables, limit)  # not by chance
        return None if passed else "fails" if ended else "does not end"

    def ask(self, mutant):
        own = self.reaching(mutant, True)
        mutant.pop("by", None)
        mutant.pop("elsewhere", None)
        mutant["state"] = "survived" if own else "not reached"
        for test in own:
            if how := self.finds(test, mutant):
                mutant.update(state="found", by=test.name, how=how)
                break
        if not own:
            for test in self.reaching(mutant, False):
                if self.finds(test, mutant):
                    mutant["elsewhere"] = test.name
                    break
        say(f"  {mutant['file']}:{mutant['line']} {mutant['state']}" + (f" by {mutant['by']}" if "by" in mutant else ""))

    def switches(self):
        waiting = [m for m in self.state["mutants"] if m["state"] == "waiting" and not m["rebuild"]]
        if waiting:
            say(f"{len(waiting)} changes meet the tests")

        def one(mutant):
            self.ask(mutant)
            self.save()
        self.each(waiting, one)

    def rebuilds(self, targets):
        waiting = [m for m in self.state["mutants"] if m["state"] == "waiting" and m["rebuild"]]
        for mutant in waiting:
            if self.is_over():
                return
            say(f"{mutant['file']}:{mutant['line']} needs a build of its own")
            path = self.copy.source / mutant["file"]
            before = path.read_text()
            try:
                path.write_text(mutant["plain"])
                self.copy.make(targets, self.parallel)
                self.ask(mutant)
            finally:
                path.write_text(before)
            self.save()
        if waiting:
            self.copy.make(targets, self.parallel)


# --- what is printed

def read_reasons(path):
    """Blocks of `key: value` lines, separated by empty ones."""
    reasons = []
    text = re.sub(r"^#.*\n", "", path.read_text(), flags=re.MULTILINE) if path.exists() else ""
    for block in re.split(r"\n\s*\n", text.strip()):
        entry = {}
        for line in block.split("\n"):
            key, separator, value = line.partition(": ")
            if separator:
                entry[key.strip()] = value.strip()
        if entry:
            if missing := {"file", "line", "change", "matters", "reason"} - entry.keys():
                fail(f"{path.name}: no {', '.join(sorted(missing))} in the entry of {entry.get('file', 'no file')}")
            reasons.append(entry)
    return reasons


def reason_for(mutant, reasons):
    for entry in reasons:
        if (entry["file"], entry["line"], entry["change"]) == (mutant["file"], mutant["text"],
                                                              f"{mutant['original']} -> {mutant['changed']}"):
            return entry
    return None


def report(state, reasons, out=print):
    mutants = state["mutants"]
    known = {m["number"]: reason_for(m, reasons) for m in mutants if m["state"] in ("survived", "not reached")}
    matters = lambda m: not (known.get(m["number"]) and known[m["number"]]["matters"] == "no")
    table = lambda title, key: _table(title, [m for m in mutants if m["state"] != "waiting" and matters(m)], key, out)
    table("By folders", lambda m: m["group"])
    table("By kind", lambda m: m["group"] + " " + m["kind"])
    waiting = sum(m["state"] == "waiting" for m in mutants)
    rebuilt = sum(m["rebuild"] for m in mutants)
    out(f"{len(mutants)} changes, {rebuilt} of them with a build of their own"
        + (f", {waiting} not asked yet" if waiting else "") + f"; {state['dropped']} lines gave way to others: nothing on them compiled"
        + (f"; {state['gone']} lines are gone" if state.get("gone") else ""))
    for title, chosen in (("Survivors", lambda m: not known[m["number"]]),
                          ("Survivors that stay, with the reason", lambda m: known[m["number"]] and matters(m)),
                          ("Changes that do not matter", lambda m: not matters(m))):
        listed = [m for m in mutants if m["number"] in known and chosen(m)]
        if listed:
            out(f"\n{title} ({len(listed)})")
        for m in listed:
            out(f"{m['file']}:{m['line']}: {m['kind']}" + ("" if m["state"] == "survived" else ", no test of its folder reaches it"
                + (f" ({m['elsewhere']} finds it)" if "elsewhere" in m else "")))
            out(f"    {m['text']}\n    {m['original']} -> {m['changed']}")
            if known[m["number"]]:
                out(f"    {known[m['number']]['reason']}")


def _table(title, mutants, key, out):
    rows = collections.defaultdict(lambda: [0, 0])
    for m in mutants:
        rows[key(m)][0] += m["state"] == "found"
        rows[key(m)][1] += 1
    out(f"\n{title}: found, of those that matter")
    for name, (found, all_of_them) in sorted(rows.items()):
        out(f"  {name:28} {found:4} of {all_of_them:4}  {100 * found / all_of_them:5.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the mutated copy, its build and the results")
    parser.add_argument("--lines", type=groups_of, default=groups_of("model=150,widgets,app=100"), metavar="FOLDER=N,...",
                        help="how many lines of which folders; folders before one = share its lines")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", metavar="FILE:LINE", help="every change of one line, instead of lines drawn by lot")
    parser.add_argument("--again", action="store_true", help="take the checkout as it is now and ask the survivors again")
    parser.add_argument("--target", action="append", default=[], help="build only this; may be repeated")
    parser.add_argument("--parallel", type=int, default=2, help="how much at once")
    parser.add_argument("--minutes", type=float, help="stop after so long; the same command goes on later")
    parser.add_argument("--until", choices=["draw", "build", "run"], default="run", help="the last step")
    parser.add_argument("--report", action="store_true", help="print the results that are there")
    options = parser.parse_args()

    work = options.work.resolve()
    if work.is_relative_to(ROOT):
        fail("the work folder must lie outside of the checkout")
    work.mkdir(parents=True, exist_ok=True)
    copy = Copy(work)
    state_file = work / "state.json"
    if options.report:
        return report(json.loads(state_file.read_text()), read_reasons(REASONS))
    end = time.monotonic() + 60 * options.minutes if options.minutes else None

    if not state_file.exists():
        copy.take()
        copy.configure()
        draw = Draw(copy, options.parallel)
        if options.only:
            name, _, line = options.only.rpartition(":")
            draw.all_of(name, int(line), options.seed)
        else:
            for folders, count in options.lines:
                draw.draw(folders, count, options.seed)
        state_file.write_text(json.dumps({"seed": options.seed, "mutants": draw.mutants, "dropped": draw.dropped, "tests": {}}))
    state = json.loads(state_file.read_text())
    if options.again:
        copy.take(find_again(state))
        asked = [m for m in state["mutants"] if m["state"] in ("survived", "not reached")]
        folders = tuple(folder for m in asked for folder in folders_of(m["file"]))
        for m in asked:
            m["state"] = "waiting"
        state["tests"] = {name: test for name, test in state["tests"].items() if not name.startswith(folders)}
        state_file.write_text(json.dumps(state))
    if options.until == "draw":
        return None
    copy.make(options.target, options.parallel)
    if options.until == "build":
        return None
    runs = Run(work, copy, state, options.parallel, end)
    runs.reach(lambda test: True)
    runs.switches()
    runs.rebuilds(options.target)
    if not runs.is_over():
        report(state, read_reasons(REASONS))
    return None


if __name__ == "__main__":
    main()
