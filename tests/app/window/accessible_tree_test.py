#!/usr/bin/env python3
"""Reads the window as a screen reader does, by AT-SPI, in every workspace and in the main dialogs: accessible_tree_test.py PROGRAM

Needs Xvfb, openbox, xdotool, dbus-run-session, AT-SPI's registry and its bindings for Python; ends with 77 where one is missing.
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
TOOLS = ("Xvfb", "openbox", "xdotool", "dbus-run-session")
missing = [tool for tool in TOOLS if not shutil.which(tool)]
try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError):
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):  # the system's has the bindings
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    missing.append("python3-gi with gir1.2-atspi-2.0")
if not os.path.exists("/usr/share/dbus-1/services/org.a11y.Bus.service"):
    missing.append("at-spi2-core")
if missing:
    print("Skipped: the accessible tree is read with", ", ".join(missing))
    sys.exit(SKIPPED)
if "HEADSCOPE_OWN_BUS" not in os.environ:
    os.execvpe("dbus-run-session", ["dbus-run-session", "--", sys.executable, "-W", "ignore", *sys.argv],
               {**os.environ, "HEADSCOPE_OWN_BUS": "1"})

ROLE, STATE = Atspi.Role, Atspi.StateType
# What has parts, and needs no name of its own to be used.
CONTAINERS = {ROLE.FILLER, ROLE.PANEL, ROLE.SCROLL_PANE, ROLE.VIEWPORT}
# Qt gives them the keyboard or actions; what a person does with them is done with their parts, or by keys of the view.
WITHOUT_NAME = {ROLE.SCROLL_BAR, ROLE.TABLE_CELL, ROLE.TABLE_COLUMN_HEADER, ROLE.TABLE_ROW_HEADER, ROLE.APPLICATION}
WITH_VALUE = {ROLE.SLIDER, ROLE.SPIN_BUTTON, ROLE.PROGRESS_BAR, ROLE.DIAL}

Node = collections.namedtuple("Node", "path object role name description states isAsked")
faults, walked, valued = [], 0, 0


def until(found, seconds=30):
    end = time.time() + seconds
    while not (result := found()) and time.time() < end:
        time.sleep(0.2)
    return result


def xdotool(*arguments):
    subprocess.run(["xdotool", *arguments], check=False, stdout=subprocess.DEVNULL)


def children(node):
    """The first of a long table, whose cells are alike."""
    try:
        count = node.get_child_count()
        if node.get_role() in (ROLE.TABLE, ROLE.TREE, ROLE.TREE_TABLE):
            count = min(count, 40)
        found = [node.get_child_at_index(i) for i in range(count)]
    except GLib.GError:  # it is gone: the window goes on meanwhile
        return []
    return [child for child in found if child]


def read(child, path):
    states, role, name = child.get_state_set(), child.get_role(), child.get_name() or ""
    action = child.get_action_iface()
    isAsked = states.contains(STATE.FOCUSABLE) or bool(action and action.get_n_actions())
    return Node(f"{path}/{child.get_role_name()} {name[:40]!r}", child, role, name, child.get_description() or "", states, isAsked)


def nodes(parent, path=""):
    for child in children(parent):
        try:
            node = read(child, path)
        except GLib.GError:
            continue
        if node.states.contains(STATE.SHOWING):
            yield node
            yield from nodes(child, node.path)


def check(place):
    global walked, valued
    found = list(nodes(program()))
    walked += len(found)
    siblings = collections.Counter()
    for node in found:
        fault = lambda words: faults.append(f"{place}: {words}: {node.path[-160:]}")
        hasParts = node.role in CONTAINERS and node.object.get_child_count() > 0
        if node.isAsked and not node.name.strip() and node.role not in WITHOUT_NAME and not hasParts:
            fault("no name")
        if node.states.contains(STATE.FOCUSABLE) and node.role in CONTAINERS and not hasParts:
            fault("has the keyboard's focus and no role")
        if node.isAsked and node.role not in WITHOUT_NAME | {ROLE.LIST_ITEM} and not hasParts:
            siblings[(node.path, node.role)] += 1
        if node.role in WITH_VALUE:
            valued += 1
            if not node.object.get_value_iface():
                fault("no value")
        if "<p" in node.description or "<p" in node.name:
            fault("tags are read")
    faults.extend(f"{place}: {count} siblings of one role and name: {path[-160:]}" for (path, _), count in siblings.items() if count > 1)
    return found


def program():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        if (found := desktop.get_child_at_index(i)) and "headscope" in (found.get_name() or "").lower():
            return found
    return None


def isSaid(words):
    """By a name, or of what has the keyboard's focus by its description."""
    return any(words in node.name or (node.isAsked and words in node.description) for node in nodes(program()))


def expect(words, place):
    if not until(lambda: isSaid(words), 10):
        faults.append(f"{place}: nothing says “{words}”")


def cellOfTheKeyboard(table):
    """Its name, after the table got the keyboard's focus."""
    for node in nodes(program()):
        if node.name != table:
            continue
        node.object.get_component_iface().grab_focus()
        time.sleep(0.3)
        xdotool("key", "Down", "key", "Right", "key", "Right")
        time.sleep(0.5)
        for cell in children(node.object):
            if cell.get_state_set().contains(STATE.FOCUSED):
                return cell.get_name()
    return ""


def press(name):
    for node in nodes(program()):
        action = node.object.get_action_iface() if node.name == name else None
        if action and action.get_n_actions():
            action.do_action(0)
            return
    faults.append(f"nothing is named “{name}”")


PARTS = {"2": ("Lines", "Masks", "Numbers", "Scatter", "Head table", "Heatmap", "Logit lens", "Head importance", "Paths", "Random twin"),
         "5": ("Positions", "Scaling", "Batch & padding", "Structure")}


def lookAround():
    expect("step 1 of", "at the start")
    expect("Head: Cross-attention 1.5", "at the start")
    for key, place in zip("1234567", ("Home", "Heads", "Decode", "Explain", "Model", "Compare", "Train")):
        xdotool("key", "ctrl+" + key)
        time.sleep(1.5)
        check(place)
        for part in PARTS.get(key, ()):
            press(part)
            time.sleep(1)
            check(f"{place} > {part}")
    xdotool("key", "ctrl+2")
    time.sleep(1)
    # Cross-attention 1.5 in the row of the second token, at the third.
    cell = cellOfTheKeyboard("Attention map of one head")
    for part in ("cross.1.5", "→", "0."):
        if part not in cell:
            faults.append(f"Heads: the cell of the keyboard is “{cell}”, without {part}")
    chip = cellOfTheKeyboard("Target tokens")
    if " of " not in chip:
        faults.append(f"Heads: the token of the keyboard is “{chip}”")
    xdotool("key", "Escape", "key", "Escape", "key", "d")
    expect("switched off", "a head switched off")
    expect("not used: the head is off", "a head switched off")
    check("Heads, one switched off")
    xdotool("key", "d")
    for keys, place in (("ctrl+e", "export"), ("ctrl+comma", "preferences"), ("ctrl+k", "search"), ("ctrl+r", "run until"),
                        ("ctrl+shift+d", "decoding options"), ("question", "keys"), ("F1", "manual")):
        xdotool("key", keys)
        time.sleep(1.5)
        check(place)
        xdotool("key", "Escape")
        time.sleep(0.5)


def main():
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_RUNTIME_DIR": home,
                       "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        reading, writing = os.pipe()
        started = [subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                                    pass_fds=[writing], stderr=subprocess.DEVNULL)]
        try:
            environment["DISPLAY"] = os.environ["DISPLAY"] = ":" + os.read(reading, 20).decode().strip()
            started.append(subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL))
            time.sleep(1)
            started.append(subprocess.Popen([sys.argv[1]], env=environment))
            if not until(program):
                print("The program is not in the accessible tree.")
                return 1
            until(lambda: isSaid("Numbers verified"))
            lookAround()
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()
    print(f"{walked} accessible objects read, {valued} of them with values.")
    for fault in dict.fromkeys(faults):
        print(fault)
    return 1 if faults or walked < 5000 or valued < 10 else 0


sys.exit(main())
