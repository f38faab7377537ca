"""What a program says in its --help, as values: of what man pages and completion of commands are made."""
import re
import subprocess
from dataclasses import dataclass, field


COLUMN = 30  # where texts begin


@dataclass
class Entry:
    names: list  # of an option, such as ["-h", "--help"], or of a command
    kind: str    # what follows the name, such as "TEXT:{a,b} REQUIRED"
    text: str

    @property
    def takes_value(self):
        return re.match(r"(?!Excludes:|Needs:|REQUIRED)\S", self.kind) is not None

    @property
    def values(self):
        choices = re.search(r"\{([^}]*)\}", self.kind)
        return choices[1].split(",") if choices else []


@dataclass
class Help:
    text: str                                   # the first line
    usage: str
    sections: dict = field(default_factory=dict)  # title to entries, such as "Options"

    @property
    def options(self):
        return [entry for entries in self.sections.values() for entry in entries if entry.names[0].startswith("-")]

    @property
    def commands(self):
        return self.sections.get("Subcommands", [])


def help_of(program, *command):
    lines = subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout.splitlines()
    result = Help(lines[0], lines[1].removeprefix("Usage: "))
    entries = None
    for line, following in zip(lines[2:], [*lines[3:], ""]):
        if title := re.fullmatch(r"(\S.*):", line):
            entries = result.sections.setdefault(title[1].capitalize(), [])
        elif re.match(r" {2,8}\S", line):
            names, rest = re.match(r" +((?:-?[\w-]+(?:, *)?)+)(.*)", line).groups()
            kind, _, text = rest.partition("  ")
            if not text and not following.startswith(COLUMN * " "):  # one space is between kind and text
                kind, text = line[:COLUMN], line[COLUMN:]
                kind = kind.partition(names)[2]
            entries.append(Entry(re.split(", *", names), kind.strip(), text.strip()))
        elif line.startswith(COLUMN * " "):  # the text of an entry whose name is long
            entries[-1].text = f"{entries[-1].text} {line.strip()}".strip()
    return result


def version_of(program):
    return subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
