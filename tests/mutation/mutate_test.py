#!/usr/bin/env python3
"""What mutate.py changes, and what it leaves alone. Argument: the compiler."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import changes  # noqa: E402
import mutate  # noqa: E402

COMPILER = "c++"
SAMPLE = r'''#include "not <here> + 1.h"
#define TWICE(x) ((x) * 2)
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

namespace {

// A comment: if (a < b) return 1 + 2;
/* Another: call(); -1 */
constexpr double outside = 0.025; // 0.05 is wrong
constexpr int sides = 2;
constexpr std::array<int, sides> lengths{3, 4};
const char* const text = "1 + 2 < 3 && true";
const char* const raw = R"(4 == 5)";
enum class Kind { One = 1, Two };

struct Counter {
    static constexpr int most = 9;
    int count = 0;
    void add(int number) {
        if (count < most)
            count += number;
    }
};

std::optional<int> half(int number) {
    if (number % 2 != 0)
        return std::nullopt;
    return number / 2;
}

bool isSmall(const std::vector<int>& numbers, int limit) {
    return std::all_of(numbers.begin(), numbers.end(), [&](int n) { return n <= limit; });
}

template <class T>
T nearest(T value, T low, T high) {
    return std::max(low, std::min(value, high));
}

} // namespace

int main() {
    Counter counter;
    for (int i = 0; i < 4; ++i)
        counter.add(i);
    std::vector<int> numbers{1, 2, 3};
    numbers.push_back(-4);
    if (const auto found = half(6); found && *found == 3)
        numbers.back() = nearest(numbers.front() - 1, -sides, sides);
    else
        numbers.clear();
    static_assert(sizeof(int) >= 2);
    switch (counter.count) {
    case 6:
        std::printf("%g %d\n", (1 - 2 * outside) * 100, isSmall(numbers, 3) ? 1 : 0);
        break;
    default:
        return 1;
    }
    for (const int number : numbers)
        std::printf("%d ", number);
    std::printf("%s %s %d %d\n", text, raw, lengths[1], static_cast<int>(Kind::Two));
    return 0;
}
'''


class ChangesTest(unittest.TestCase):
    def setUp(self):
        self.source = changes.Source(SAMPLE)

    def of(self, text):
        """What is done to the lines that hold a text, as kind and words."""
        lines = [i + 1 for i, line in enumerate(SAMPLE.split("\n")) if text in line]
        return {(c.kind, c.words) for c in self.source.changes if c.line in lines}

    def test_comments_texts_directives_and_checks_are_never_touched(self):
        for text in ("#include", "#define", "// A comment", "/* Another", "const char* const", "static_assert", "using "):
            self.assertEqual(self.of(text), set(), text)
        for change in self.source.changes:
            for piece in changes.apply(SAMPLE, [change.plain]).split("\n")[:12]:
                self.assertIn(piece, SAMPLE)
        for text in ("// 0.05 is wrong", '"1 + 2 < 3 && true"', 'R"(4 == 5)"', "TWICE(x) ((x) * 2)"):
            for change in self.source.changes:
                self.assertIn(text, changes.apply(SAMPLE, [change.plain]))

    def test_each_kind_is_found_where_it_is(self):
        self.assertEqual(self.of("constexpr double outside"), {("constant", "0.025 -> 0.05")})
        self.assertEqual(self.of("if (count < most)"), {
            ("condition", "count < most -> !(count < most)"), ("operator", "count < most -> count >= most"),
            ("bound", "count < most -> count <= most")})
        self.assertEqual(self.of("count += number;"), {
            ("assignment", "count += number -> (left out)"), ("operator", "count += number -> count -= number")})
        self.assertIn(("sign", "-4 -> 4"), self.of("push_back"))
        self.assertIn(("call", "numbers.push_back(-4) -> (left out)"), self.of("push_back"))
        self.assertIn(("bound", "min -> max"), self.of("std::max(low"))
        self.assertIn(("bound", "front() -> back()"), self.of("numbers.front()"))
        self.assertIn(("operator", "(1 - 2 * outside) * 100 -> (1 - 2 * outside) / 100"), self.of("2 * outside"))
        self.assertIn(("operator", "1 - 2 * outside -> 1 + 2 * outside"), self.of("2 * outside"))
        self.assertIn(("return", "return n <= limit -> return another value"), self.of("n <= limit"))

    def test_what_must_be_constant_needs_a_build_of_its_own(self):
        constant = {c.original for c in self.source.changes if c.constant}
        self.assertEqual(constant, {"1", "6"})  # an enumerator, a label
        self.assertTrue(all(c.keyword for c in self.source.changes if c.original in ("0.025", "9", "3", "4") and c.line < 25))

    def test_numbers_grow(self):
        for number, other in {"0": "1", "16": "17", "1'000u": "1001u", "0xFF": "0x100", "0777": "01000", "0.025": "0.05",
                              "0.5F": "1.0F", "0.0": "1.0", "1e-5": "2e-05", "250ms": "251ms"}.items():
            self.assertEqual(changes.other_number(number), other)

    def test_a_drawn_line_stays_drawn_when_others_change(self):
        drawn = [entry[0] for entry in mutate.lines_of("a.cpp", self.source, "1")]
        self.assertEqual(drawn, [entry[0] for entry in mutate.lines_of("a.cpp", changes.Source(SAMPLE), "1")])
        longer = changes.Source(SAMPLE.replace("    Counter counter;", "    int other = 7;\n    Counter counter;"))
        self.assertEqual(set(drawn) - {entry[0] for entry in mutate.lines_of("a.cpp", longer, "1")}, set())
        self.assertNotEqual(drawn, [entry[0] for entry in mutate.lines_of("a.cpp", self.source, "2")])

    def test_the_same_change_of_a_line_is_drawn_again(self):
        lines = mutate.lines_of("a.cpp", self.source, "1")
        again = mutate.lines_of("a.cpp", changes.Source(SAMPLE), "1")
        self.assertEqual([[c.words for c in mutate.in_order(line)] for line in lines],
                         [[c.words for c in mutate.in_order(line)] for line in again])

    def test_folders_share_the_lines_before_a_number(self):
        self.assertEqual(mutate.groups_of("model=150,widgets,app=100"), [(("model",), 150), (("widgets", "app"), 100)])
        self.assertEqual(mutate.folders_of("model/files/zip.cpp"), ("model.files.",))
        self.assertEqual(mutate.folders_of("widgets/map/view.cpp"), ("widgets.", "gallery."))
        self.assertEqual(mutate.folders_of("app/cli/train.cpp"), ("app.",))

    def test_a_reason_is_found_by_the_text_of_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "reasons.txt")
            path.write_text("# why\n\nfile: a.cpp\nline: x = 1;\nchange: 1 -> 2\nmatters: no\nreason: nobody reads it\n")
            reasons = mutate.read_reasons(path)
        mutant = {"file": "a.cpp", "text": "x = 1;", "original": "1", "changed": "2"}
        self.assertEqual(mutate.reason_for(mutant, reasons)["reason"], "nobody reads it")
        self.assertIsNone(mutate.reason_for({**mutant, "changed": "3"}, reasons))

    def test_every_reason_of_the_list_is_whole(self):
        mutate.read_reasons(mutate.REASONS)


class SwitchesTest(unittest.TestCase):
    """One build with a switch for every change that fits beside the others."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        source = changes.Source(SAMPLE)
        cls.mutants = []
        for change in source.changes:
            # What is wanted as a constant elsewhere cannot have a switch, nor what has none of these types.
            if change.constant or "sides = 2" in SAMPLE.split("\n")[change.line - 1] or change.kind == "return" and \
                    not re.search(r"<=|/ 2| [01]$", change.original):
                continue
            edit = change.make(len(cls.mutants) + 1)
            if changes.fits(edit, mutate.edits_of(cls.mutants)):
                cls.mutants.append((len(cls.mutants) + 1, change))
        text = SAMPLE.replace('#include "not <here> + 1.h"\n', "").replace("SAMPLE", "")
        offset = len(SAMPLE) - len(text)
        mutated = changes.apply(SAMPLE, mutate.edits_of(cls.mutants))[offset:]
        Path(cls.folder.name, "sample.cpp").write_text(mutate.HEADER + mutated)
        cls.program = os.path.join(cls.folder.name, "sample")
        subprocess.run([*COMPILER.split(), "-std=c++20", "-w", "-I", str(mutate.ROOT), "-o", cls.program,
                        os.path.join(cls.folder.name, "sample.cpp")], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def said(self, **variables):
        return subprocess.run(["timeout", "5", self.program], capture_output=True, env={**os.environ, **variables}).stdout.decode()

    def test_without_a_mutant_nothing_is_changed(self):
        self.assertEqual(self.said(), "95 1\n1 2 3 0 1 + 2 < 3 && true 4 == 5 4 2\n")

    def test_the_environment_says_which_change_is_on(self):
        self.assertGreater(len(self.mutants), 40)
        number = next(n for n, c in self.mutants if c.words == "0.025 -> 0.05")
        self.assertEqual(self.said(HEADSCOPE_MUTANT=str(number)), self.said().replace("95 1", "90 1"))
        number = next(n for n, c in self.mutants if c.words == "numbers.push_back(-4) -> (left out)")
        self.assertEqual(self.said(HEADSCOPE_MUTANT=str(number)), self.said().replace("1 2 3 0", "1 2 0"))

    def test_what_is_reached_is_noted(self):
        notes = os.path.join(self.folder.name, "notes")
        os.mkdir(notes)
        self.assertEqual(self.said(HEADSCOPE_MUTANTS_REACHED=notes), self.said())
        reached = {int(name) for name in os.listdir(notes)}
        unreached = {c.words for n, c in self.mutants if n not in reached}
        # Of the line with `? 1 : 0`, of the one that clears, and of the one that returns 1.
        self.assertLessEqual({"0 -> 1", "numbers.clear() -> (left out)"}, unreached)
        self.assertLessEqual(unreached, {"0 -> 1", "numbers.clear() -> (left out)", "1 -> 2", "return 1 -> return another value"})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        COMPILER = sys.argv.pop(1)
    unittest.main()
