#!/usr/bin/env python3
"""api.py SOURCE FOLDER: reads protocol/control.api, which describes the methods, events and types of the control protocol, and
writes into the folder what follows from it: Swift code, reference.md for people, and types.d.ts for TypeScript and the page's
JavaScript. contrib/generate calls it.

The description has one declaration after another, each with its documentation above it (a line "///" begins a new
paragraph; "protocol/PAGE.md" becomes a link in the reference):

    # Section
    type NAME { members }                       a JSON object
    method NAME TYPE -> RESULT { members }      TYPE is the type of the parameters, which are the members
    event NAME TYPE { members }                 TYPE is the type of the data; without members it is declared elsewhere
    event NAME TYPE of MessageInfo              the data is a message; TYPE is the event in Swift
    enum NAME { words }                         one of these words
A member is "name: Type", with "?" if it may be absent, and "= value" if Swift code may leave it out. "_ name" has no label in
Swift. "true?" is true or absent; "[Type]? = []" is a list that is absent if it is empty. "name = \"word\"" is a word with
another name in Swift. Declarations may contain others. ": Protocol" after a name adds one in Swift."""
import re
import sys
from pathlib import Path

# Types that Swift code defines by hand, and what they are in JSON.
KNOWN = {
    "String": "string", "Phrase": "string", "ControlTime": "string", "Bool": "boolean", "true": "true", "Int": "number",
    "UInt64": "number", "Int64": "number", "UInt8": "number", "Double": "number", "JSON": "unknown",
    "ControlEventKind": "string", "ErrorCode": "string",
    "ErrorReason": "{ name: string; values: Record<string, string | number | string[]> }",
}
MODULES = {"Phrase": "ParlanceWords", "ErrorCode": "ParlanceErrorCode"}
KEYWORDS = {"as", "case", "default", "extension", "in", "is", "private", "protocol", "repeat", "self", "switch", "where"}


class Declaration:
    """A type, method, event or enum; `path` is its Swift name with those around it."""

    def __init__(self, kind, name, doc, section, outer):
        self.kind, self.name, self.doc, self.section, self.outer = kind, name, doc, section, outer
        self.word = self.result = self.message = None
        self.protocols, self.members, self.inner = [], [], []
        self.path = f"{outer.path}.{name}" if outer else name


class Member:
    def __init__(self, name, kind, default, doc, labelled=True):
        self.name, self.default, self.doc, self.labelled = name, default, doc, labelled
        self.optional = kind.endswith("?")
        self.type = kind.removesuffix("?")


def read(path):
    """Returns the top-level declarations in their order."""
    found, around, doc, section = [], [], [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.strip()
        where = f"{path}:{number}: "
        if not text or text.startswith("//") and not text.startswith("///"):
            doc = []
        elif text.startswith("# "):
            section, doc = text[2:], []
        elif text.startswith("///"):
            doc.append(text)
        elif text == "}":
            if not around:
                sys.exit(where + "nothing is open here")
            around.pop()
            doc = []
        elif match := re.fullmatch(
            r"(type|enum|event|method) (?:([\w.]+) )??(\w+)(?: of (MessageInfo))?(?: -> ([\w.]+))?(?:: ([\w, ]+))?( \{)?",
            text,
        ):
            kind, word, name, message, result, protocols, opens = match.groups()
            if (kind in ("event", "method")) != (word is not None) or (kind == "method") != (result is not None):
                sys.exit(where + f"a {kind} has other parts: see contrib/api.py")
            outer = around[-1] if around else None
            declared = Declaration(kind, name, doc, section, outer)
            declared.word, declared.result, declared.message = word, result, message
            declared.protocols = protocols.split(", ") if protocols else []
            (outer.inner if outer else found).append(declared)
            if opens:
                around.append(declared)
            doc = []
        elif around and around[-1].kind == "enum":
            match = re.fullmatch(r'(\w+)(?: = "(.*)")?', text) or sys.exit(where + "this is not a word")
            around[-1].members.append(Member(match[1], "String", match[2], doc))
            doc = []
        elif around and (match := re.fullmatch(r"(_ )?(\w+): ([^=]+?)(?: = (.+))?", text)):
            around[-1].members.append(Member(match[2], match[3], match[4], doc, match[1] is None))
            doc = []
        else:
            sys.exit(where + f"this is neither a declaration nor a member: {text}")
    if around:
        sys.exit(f"{path}: {around[-1].name} is not closed")
    return found


def all_of(declarations):
    for one in declarations:
        yield one
        yield from all_of(one.inner)


def names_in(kind):
    return re.findall(r"[\w.]+", kind.replace("Set<", ""))


def check(path, declarations):
    """Fails if a type is used that nobody declares, or declared twice."""
    paths = [one.path for one in all_of(declarations) if not is_alias(one)]
    for name in {name for name in paths if paths.count(name) > 1}:
        sys.exit(f"{path}: {name} is declared twice")
    for one in all_of(declarations):
        members = [member.name for member in one.members]
        for name in {name for name in members if members.count(name) > 1}:
            sys.exit(f"{path}: {one.path} has {name} twice")
        used = [one.result] if one.result else []
        used += [one.name] if is_alias(one) else []
        used += [name for member in one.members for name in names_in(member.type)] if one.kind != "enum" else []
        for name in used:
            if name not in KNOWN and not find(name, one, set(paths)):
                sys.exit(f"{path}: {one.path} uses {name}, which is not declared")


def find(name, declaration, paths):
    """The whole path of a type as `declaration` names it; None if there is none."""
    while declaration:
        if f"{declaration.path}.{name}" in paths:
            return f"{declaration.path}.{name}"
        declaration = declaration.outer
    return name if name in paths else None


def is_alias(declaration):
    """An event whose data is a type that is declared elsewhere."""
    return declaration.kind == "event" and not declaration.members and not declaration.message


# Swift

def quoted(name):
    return f"`{name}`" if name in KEYWORDS else name


def swift_type(member):
    return ("Bool" if member.type == "true" else member.type) + ("?" if member.optional else "")


def swift_parameter(member):
    kind, default = swift_type(member), member.default
    if member.type == "true":
        kind, default = "Bool", "false"
    elif member.optional and default == "[]":
        kind = member.type
    elif member.optional:
        default = default or "nil"
    return ("" if member.labelled else "_ ") + f"{member.name}: {kind}" + (f" = {default}" if default else "")


def swift_assignment(member):
    value = quoted(member.name)
    if member.type == "true":
        value += " ? true : nil"
    elif member.optional and member.default == "[]":
        value = f"{value}.isEmpty ? nil : {value}"
    return f"self.{member.name} = {value}"


def kind_of(event):
    return f'package static let kind = ControlEventKind(of: "{event.word}")'


def swift(one, indent=""):
    """The lines of a declaration."""
    inner = indent + "    "
    lines = [indent + text for text in one.doc]
    if is_alias(one):
        return lines + [f"extension {one.name}: ControlEvent {{", f"    {kind_of(one)}", "}"]
    if one.message:
        return lines + [
            f"package struct {one.name}: MessageCarryingEvent {{", f"    {kind_of(one)}", "",
            f"    package var message: {one.message}", "",
            f"    package init(_ message: {one.message}) {{", "        self.message = message", "    }", "}",
        ]
    if one.kind == "enum":
        protocols = ", ".join(["String, Codable, JSONWord, Sendable"] + one.protocols)
        lines.append(f"{indent}package enum {one.name}: {protocols} {{")
        for member in one.members:
            lines += [inner + text for text in member.doc]
            lines.append(f"{inner}case {quoted(member.name)}" + (f' = "{member.default}"' if member.default else ""))
        return lines + [indent + "}"]
    protocol = {"type": "Codable, Equatable, Sendable", "event": "ControlEvent"}.get(one.kind)
    protocol = protocol or ("ControlOperation" if one.members else "BareOperation")
    lines.append(f"{indent}package struct {one.name}: " + ", ".join([protocol] + one.protocols) + " {")
    if one.kind == "method":
        lines += [f"{inner}package typealias Reply = {one.result}", f'{inner}package static let method = "{one.word}"', ""]
    if one.kind == "event":
        lines += [inner + kind_of(one), ""]
    for member in one.members:
        lines += [inner + text for text in member.doc]
        lines.append(f"{inner}package var {quoted(member.name)}: {swift_type(member)}")
    if one.members:
        lines.append("")
    parameters = [swift_parameter(member) for member in one.members]
    line = f"{inner}package init(" + ", ".join(parameters) + ") {"
    if len(line) > 110:
        lines.append(f"{inner}package init(")
        lines += [f"{inner}    {text}," for text in parameters[:-1]] + [f"{inner}    {parameters[-1]}", f"{inner}) {{"]
    else:
        lines.append(line + ("}" if not parameters else ""))
    if parameters:
        lines += [f"{inner}    {swift_assignment(member)}" for member in one.members] + [inner + "}"]
    for nested in one.inner:
        lines += [""] + swift(nested, inner)
    return lines + [indent + "}"]


def swift_file(declarations):
    members = [member for one in all_of(declarations) if one.kind != "enum" for member in one.members]
    used = {name for member in members for name in names_in(member.type)}
    imports = sorted({MODULES[name] for name in used if name in MODULES})
    lines = ["// Generated by contrib/generate from protocol/control.api: change that.", ""]
    lines += [f"package import {name}" for name in imports] + ([""] if imports else [])
    for one in declarations:
        lines += swift(one) + [""]
    return "\n".join(lines)


# TypeScript

def script_type(kind, one, paths):
    if match := re.fullmatch(r"\[(\w+): (.+)\]", kind):
        return f"Record<string, {script_type(match[2], one, paths)}>"
    if match := re.fullmatch(r"(?:\[(.+)\]|Set<(.+)>)", kind):
        return f"{script_type(match[1] or match[2], one, paths)}[]"
    whole = find(kind, one, paths)
    return whole.replace(".", "") if whole else KNOWN[kind]


def script(declarations):
    paths = {one.path for one in all_of(declarations) if not is_alias(one)}
    lines = ["// Generated by contrib/generate from protocol/control.api: change that.", ""]
    for one in all_of(declarations):
        if is_alias(one) or one.message:
            continue
        lines += comment(one.doc, "")
        name = one.path.replace(".", "")
        if one.kind == "enum":
            words = [f'"{member.default or member.name}"' for member in one.members]
            lines += [f"export type {name} = " + " | ".join(words), ""]
            continue
        lines.append(f"export interface {name} {{")
        for member in one.members:
            lines += comment(member.doc, "    ")
            lines.append(f"    {member.name}{'?' if member.optional else ''}: {script_type(member.type, one, paths)}")
        lines += ["}", ""]
    lines.append("export interface Methods {")
    for one in declarations:
        if one.kind == "method":
            lines.append(f'    "{one.word}": {{ params: {one.name}; result: {one.result} }}')
    lines += ["}", "", "export interface Events {"]
    for one in declarations:
        if one.kind == "event":
            lines.append(f"    {one.word}: {one.message or one.name}")
    return "\n".join(lines + ["}", ""])


def words(doc):
    """A comment as one line."""
    return " ".join(text for text in (line.removeprefix("///").strip() for line in doc) if text)


def comment(doc, indent):
    return [f"{indent}/** {words(doc)} */"] if doc else []


# The reference

# What the types that Swift code defines by hand are called there.
WORDS = {"ControlTime": "time", "Phrase": "sentence", "ErrorReason": "[reason](control.md#errors)"}


def reference(declarations):
    paths = {one.path for one in all_of(declarations) if not is_alias(one)}
    lines = [
        "# The control protocol: methods, events and types",
        "<!-- Generated by contrib/generate from control.api: change that. -->", "",
        "[control.md](control.md) explains the protocol; these are its methods (**bold**), events (*italic*) and objects.",
        "`?` marks what may be absent. A *sentence* is text for people, in the language of the connection; a *time* is a text",
        "such as `2025-11-21T12:00:00.000Z`; `true` as a type is true or absent.",
    ]
    # Parameters and data that have another heading than their name.
    named = {one.result for one in declarations if one.result}
    named |= {name for one in all_of(declarations) for member in one.members for name in names_in(member.type)}
    section = None
    for one in all_of(declarations):
        if one.section != section:
            section = one.section
            lines += ["", f"## {section}"]
        if one.kind in ("method", "event") and not is_alias(one) and one.name in named:
            lines += ["", f'<a id="{one.name.lower()}"></a>']
        lines += ["", heading(one)] + [linked(text.removeprefix("///").strip()) for text in one.doc]
        if one.kind == "enum" and not any(word.doc for word in one.members):
            lines += ["", ", ".join(f"`{word.default or word.name}`" for word in one.members)]
        elif one.kind == "enum":
            lines += ["", "| word | |", "|---|---|"]
            lines += [f"| `{word.default or word.name}` | {cell(word.doc)} |" for word in one.members]
        elif one.members:
            lines += ["", f"| {'parameter' if one.kind == 'method' else 'member'} | type | |", "|---|---|---|"]
            for member in one.members:
                mark = "?" if member.optional else ""
                lines.append(f"| `{member.name}`{mark} | {shown_type(member.type, one, paths)} | {cell(member.doc)} |")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def heading(one):
    name = one.path.replace(".", "")
    if one.kind == "method":
        return f"### **`{one.word}`** → {link(one.result)}"
    if one.kind == "event":
        data = one.message or (one.name if is_alias(one) else None)
        return f"### *`{one.word}`*" + (f": {link(data)}" if data else "")
    return f"### {name}"


def link(name):
    return f"[{name}](#{name.lower()})"


def cell(doc):
    return linked(words(doc)).replace("|", "\\|")


def linked(text):
    """Names of other pages as links."""
    return re.sub(r"\bprotocol/([\w.-]+\w)", r"[\1](\1)", text)


def shown_type(kind, one, paths):
    if match := re.fullmatch(r"\[(\w+): (.+)\]", kind):
        return f"object of {shown_type(match[2], one, paths)}"
    if match := re.fullmatch(r"(?:\[(.+)\]|Set<(.+)>)", kind):
        return f"list of {shown_type(match[1] or match[2], one, paths)}"
    whole = find(kind, one, paths)
    return link(whole.replace(".", "")) if whole else WORDS.get(kind, KNOWN[kind])


def main():
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    declarations = read(source)
    check(source, declarations)
    sections = {}
    for one in declarations:
        sections.setdefault(one.section, []).append(one)
    for section, its in sections.items():
        name = "".join(word.capitalize() for word in re.findall(r"\w+", section))
        (folder / f"{name}.swift").write_text(swift_file(its))
    (folder / "types.d.ts").write_text(script(declarations))
    (folder / "reference.md").write_text(reference(declarations))


main()
