#!/usr/bin/env python3
# contrib/manpages.py --version VERSION --date DAY FOLDER PROGRAM...  writes the man pages of the programs to FOLDER, from
#   what the commands say of themselves, and checks them
# contrib/manpages.py --check FOLDER  checks each page with groff and with the parser of mandb, by which "man -k" finds it
import argparse
import glob
import json
import os
import re
import subprocess
import sys


def plain(text):
    """Text as groff takes it, at any place of a line."""
    for character, name in (("\\", r"\(rs"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga"), ("^", r"\(ha"), ("~", r"\(ti")):
        text = text.replace(character, name)
    return text


def line(text):
    """A line of text: a dot in front is no command."""
    text = plain(text)
    return r"\&" + text if text.startswith(".") else text


def quoted(text):
    return '"' + plain(text).replace('"', r"\(dq") + '"'


def bold(text):
    return rf"\fB{plain(text)}\fR"


def italic(text):
    return rf"\fI{plain(text)}\fR"


def verbatim(lines):
    return [".RS 4", ".nf", *map(line, lines), ".fi", ".RE"]


class Page:
    """One command: what it says of itself, and the words that call it."""

    def __init__(self, program, words, about):
        self.words, self.about = words, about
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
        answer = subprocess.run([program, *words[1:], "--help"], capture_output=True, text=True, check=True, env=environment)
        self.help = answer.stdout
        self.paragraphs = [part for part in (about.get("discussion") or "").split("\n\n") if part.strip()]

    @property
    def name(self):
        return "-".join(self.words)

    def commands(self):
        return [each for each in self.about.get("subcommands", []) if each["shouldDisplay"] and each["commandName"] != "help"]

    def taken(self, *beginnings):
        """The paragraphs that begin so; they have sections of their own."""
        found = [part for part in self.paragraphs if part.startswith(beginnings)]
        self.paragraphs = [part for part in self.paragraphs if part not in found]
        return found

    def synopsis(self):
        usage = re.search(r"^USAGE: (.*?)(?:\n\n|\Z)", self.help, re.S | re.M)
        out = [".SH SYNOPSIS", ".nh", ".ad l"]
        for number, text in enumerate(usage.group(1).splitlines()):
            command = " ".join(self.words)
            rest = text.strip().removeprefix(command)
            # An option stays on one line with its value.
            parts = re.findall(r"\[[^\]]*\](?: \.\.\.)?|\S+", rest)
            out += [".br"] * (number > 0) + [bold(command)] + [line(part).replace(" ", r"\ ") for part in parts]
        return out + [".hy", ".ad b"]

    def description(self):
        out = [".SH DESCRIPTION", line(self.about["abstract"])]
        for paragraph in self.paragraphs:
            out.append(".PP")
            lines = paragraph.splitlines()
            while lines:
                count = next((n for n, each in enumerate(lines) if each.startswith(" ")), len(lines))
                out += map(line, lines[:count])
                lines = lines[count:]
                count = next((n for n, each in enumerate(lines) if not each.startswith(" ")), len(lines))
                if count:
                    out += verbatim(each.strip() for each in lines[:count])
                    lines = lines[count:]
                    out += [".PP"] * bool(lines)
        return out

    def arguments(self):
        out = []
        shown = [each for each in self.about["arguments"] if each["shouldDisplay"]]
        for heading, positional in (("ARGUMENTS", True), ("OPTIONS", False)):
            chosen = [each for each in shown if (each["kind"] == "positional") == positional]
            if chosen:
                out.append(f".SH {heading}")
            for each in chosen:
                value = italic(each["valueName"])
                names = ", ".join(bold(("-" if n["kind"] == "short" else "--") + n["name"]) for n in each.get("names", []))
                head = value if positional else names + (" " + value if each["kind"] == "option" else "")
                text = each.get("abstract", "")
                if each.get("defaultValue") and "default:" not in text:
                    text += f" (default: {each['defaultValue']})"
                out += [".TP", head, line(text)]
        return out

    def subcommands(self):
        about = {each["commandName"]: each["abstract"] for each in self.commands()}
        out, listed = [], set()
        # In the groups of the help.
        for text in self.help.splitlines():
            heading = re.match(r"([A-Z ]*)SUBCOMMANDS:$", text)
            name = re.match(r"  ([a-z-]+)(?: |$)", text)
            if heading:
                group = heading.group(1).strip()
                out += [] if out else [".SH COMMANDS"]
                out += [f".SS {quoted(group.capitalize())}"] if group else []
            elif out and name and name.group(1) in about:
                out += [".TP", rf"{bold(self.name + '-' + name.group(1))}(1)", line(about[name.group(1)])]
                listed.add(name.group(1))
        if listed != set(about):
            sys.exit(f"error: the help of '{' '.join(self.words)}' does not list: {', '.join(set(about) - listed)}")
        return out

    def examples(self, paragraphs):
        out = [".SH EXAMPLES"] if paragraphs else []
        for paragraph in paragraphs:
            head, *rest = paragraph.splitlines()
            label = head.index(": ") + 2
            out += verbatim([head[label:], *(each[label:] if not each[:label].strip() else each for each in rest)])
        return out


def exit_status(paragraph):
    """The codes of "Exit codes: 0 done; 1 or 77 failed. Errors go to standard error."."""
    text = " ".join(paragraph.split())
    # A semicolon that no code follows, also one within brackets, belongs to the text.
    each = re.split(r"; (?=\d+(?:(?:, | or )\d+)* \D)", text.removeprefix("Exit codes: "))
    each[-1], _, rest = each[-1].partition(". ")
    out = [".SH EXIT STATUS"]
    for part in each:
        found = re.fullmatch(r"(\d+(?:(?:, | or )\d+)*) (.+)", part.rstrip("."))
        if not found:
            sys.exit(f"error: this begins with no exit code, in '{text}': {part}")
        code, meaning = found.groups()
        out += [".TP", bold(code), line(meaning[0].upper() + meaning[1:] + ".")]
    return out + ([".PP", line(rest)] if rest else [])


def pages(program):
    dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    root = json.loads(dump)["command"]

    def below(words, about):
        page = Page(program, words, about)
        yield page
        for each in page.commands():
            yield from below([*words, each["commandName"]], each)

    return list(below([root["commandName"]], root))


def write(folder, program, version, day, programs):
    every = pages(program)
    # What holds for every command that has no codes of its own.
    [codes] = every[0].taken("Exit codes: ")
    for page in every:
        own = page.taken("Exit codes: ")
        if len(own) > 1:
            sys.exit(f"error: '{' '.join(page.words)}' has two paragraphs of exit codes.")
        environment, examples = page.taken("Environment: "), page.taken("Example: ", "Examples: ")
        abstract = page.about["abstract"].rstrip(".")
        out = [
            f".TH {quoted(page.name.upper())} 1 {quoted(day)} {quoted('Parlance ' + version)} {quoted('Parlance manual')}",
            ".SH NAME",
            # Not escaped: mandb reads this line by itself, without groff.
            f"{page.name} \\- {abstract[0].lower() + abstract[1:]}",
            *page.synopsis(),
            *page.description(),
            *page.subcommands(),
            *page.arguments(),
            *page.examples(examples),
            *exit_status(own[0] if own else codes),
        ]
        for paragraph in environment:
            out += [".SH ENVIRONMENT", line(paragraph.removeprefix("Environment: "))]
        related = {"-".join(page.words[:-1]) or None, *programs} - {page.name, None}
        out += [".SH SEE ALSO", ",\n".join(rf"{bold(name)}(1)" for name in sorted(related))]
        out += [".PP", line("The manual, with a tour, is in share/doc/parlance/contrib/docs.")]
        with open(f"{folder}/{page.name}.1", "w", encoding="utf-8") as file:
            file.write("\n".join(out) + "\n")


def check(folder):
    """Ends with an error where groff warns, or where "man -k" would not know a page."""
    files = sorted(glob.glob(f"{folder}/*.1"))
    groff = subprocess.run(["groff", "-K", "utf8", "-man", "-Tutf8", "-ww", "-z", *files], capture_output=True, text=True)
    if not files or groff.returncode or groff.stderr:
        sys.exit("error: groff warns:\n" + (groff.stderr or "there is no page"))
    known = subprocess.run(["lexgrog", *files], capture_output=True, text=True).stdout.splitlines()
    for file in files:
        name = os.path.basename(file).removesuffix(".1")
        if not any(re.match(rf'{re.escape(file)}: "{re.escape(name)} - \S', each) for each in known):
            sys.exit(f"error: 'man -k' would not find {name}: its NAME section is not as mandb reads it.")
        shown = subprocess.run(["groff", "-K", "utf8", "-man", "-Tutf8", "-rLL=80n", file], capture_output=True, text=True).stdout
        if shown.count(f"{name.upper()}(1)") < 3:
            sys.exit(f"error: the head and the foot of {name} do not name it.")
    return len(files)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--version", default="")
    parser.add_argument("--date", default="")
    parser.add_argument("folder")
    parser.add_argument("programs", nargs="*")
    given = parser.parse_args()
    if not given.check:
        os.makedirs(given.folder, exist_ok=True)
        names = [os.path.basename(program) for program in given.programs]
        for program in given.programs:
            write(given.folder, program, given.version, given.date, names)
    print(f"{check(given.folder)} man pages", file=sys.stderr)


main()
