#!/usr/bin/env python3
"""Writes headscope.1.gz and headscope-cli.1.gz from the manual and the programs' --help: man_pages.py FOLDER_OF_PROGRAMS MANUAL OUT"""
import gzip
import re
import sys
from pathlib import Path

from program_help import help_of, version_of

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)")


def plain(text):
    """What troff prints as it stands."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")


def inline(markdown):
    parts = re.split(r"(`[^`]*`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)", LINK.sub(r"\1", markdown).replace("\\|", "|"))
    result = ""
    for part in parts:
        if part.startswith("`"):
            result += f"\\fB{plain(part.strip('`'))}\\fR"
        elif part.startswith("**"):
            result += f"\\fB{plain(part[2:-2])}\\fR"
        elif part.startswith("*") and part.endswith("*") and len(part) > 2:
            result += f"\\fI{plain(part[1:-1])}\\fR"
        else:
            result += plain(part)
    return result


def started(line):
    return f"\\&{line}" if line.startswith((".", "\\(aq")) else line


def rows(table):
    cells = lambda line: [cell.strip().replace("\0", "|") for cell in line.replace("\\|", "\0").strip().strip("|").split("|")]
    return cells(table[0]), [cells(line) for line in table[2:]]


def of_table(table):
    head, body = rows(table)
    for name, *others in body:
        yield ".TP"
        yield started(inline(name)) or "\\&"
        said = [inline(text) if len(others) == 1 or not title else f"{inline(title)}: {inline(text)}" for title, text in zip(head[1:], others) if text]
        yield from (line for i, text in enumerate(said) for line in ([".br"] if i else []) + [started(text)])


def troff(markdown):
    """Lines of troff for the kinds of Markdown that the manual has."""
    lines = [line for line in markdown.splitlines() if not line.startswith("![")]
    while lines:
        line = lines.pop(0)
        if line.startswith("```"):
            end = lines.index("```")
            yield from (".PP", ".RS 4", ".EX", *(started(plain(code)) for code in lines[:end]), ".EE", ".RE")
            del lines[:end + 1]
        elif line.startswith("## "):
            yield f".SH {inline(line[3:].upper())}"
        elif line.startswith("### "):
            yield f".SS {inline(line[4:])}"
        elif line.startswith("|"):
            table = [line]
            while lines and lines[0].startswith("|"):
                table.append(lines.pop(0))
            yield from of_table(table)
        elif item := re.match(r"(?:[-*]|\d+\.) (.*)", line):
            yield from (".IP \\(bu 2", started(inline(item[1])))
        elif line.strip():
            paragraph = [line]
            while lines and lines[0].strip() and not lines[0].startswith(("|", "```", "#")):
                paragraph.append(lines.pop(0))
            yield from (".PP", started(inline(" ".join(part.strip() for part in paragraph))))


def options(shown):
    for option in shown.options:
        kind = option.kind.partition(":")[0]
        value = f" \\fI{plain(kind)}\\fR" if option.takes_value else ""
        yield from (".TP", ", ".join(f"\\fB{plain(name)}\\fR" for name in option.names) + value, started(plain(option.text)))


def page(name, shown, version, body):
    what = shown.text.removeprefix("Headscope: ")
    others = {"headscope": "headscope\\-cli", "headscope-cli": "headscope"}[name]
    usage = shown.usage.removeprefix(name)
    return "\n".join([
        f".TH {plain(name).upper()} 1 \"\" \"Headscope {version}\" \"Headscope manual\"", ".nh", ".ad l",
        ".SH NAME", f"{plain(name)} \\- {plain(what)}", ".SH SYNOPSIS", f".B {plain(name)}", plain(usage.strip()), *body,
        ".SH SEE ALSO", f".BR {others} (1)", ".PP", "The manual, with pictures, is in the window: \\fBHelp > Learn\\fR."]) + "\n"


def beginning(markdown):
    """The text above the first heading."""
    return markdown.partition("\n## ")[0]


def section(markdown, title):
    """The text below a heading, up to the next one of its kind."""
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", markdown, re.M | re.S)[1]


def main(programs, manual, out):
    read = lambda name: (manual / name).read_text().partition("\n")[2]
    cli = help_of(programs / "headscope-cli")
    pages = {"headscope-cli": (cli, [".SH DESCRIPTION", *troff(read("command-line.md"))])}
    if (programs / "headscope").exists():
        window = help_of(programs / "headscope")
        pages["headscope"] = (window, [
            ".SH DESCRIPTION", *troff(beginning(read("index.md")).partition("\n| page")[0]), *troff(beginning(read("window.md")).partition("\n|")[0]),
            ".SH OPTIONS", *options(window), ".SH SESSIONS", *troff(beginning(read("sessions.md"))),
            ".SS After a crash", *troff(section(read("sessions.md"), "After a crash"))])
    version = version_of(programs / "headscope-cli")
    out.mkdir(parents=True, exist_ok=True)
    for name, (shown, body) in pages.items():
        (out / f"{name}.1.gz").write_bytes(gzip.compress(page(name, shown, version, body).encode(), mtime=0))


main(*map(Path, sys.argv[1:]))
