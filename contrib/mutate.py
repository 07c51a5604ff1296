#!/usr/bin/env python3
"""mutate.py MUTATIONS FOLDER: changes a copy of the tree at each place of a list, so that its build breaks the one rule that
PARLANCE_MUTATION names at run time. The tree itself is not changed."""
import pathlib
import re
import sys

FUNCTION = """#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether the rule of this name is to be broken.
package func mutation(_ name: StaticString) -> Bool {
    chosen == name.withUTF8Buffer { Array($0) }
}

private let chosen: [UInt8] = getenv("PARLANCE_MUTATION").map { Array(String(cString: $0).utf8) } ?? []
"""


def mutations(text):
    """Yields (name, file, text to find, replacement) for each mutation."""
    for block in text.split("\n=== ")[1:]:
        head, _, rest = block.partition("\n--- ")
        path, _, rest = rest.partition("\n")
        old, arrow, new = rest.partition("\n>>>\n")
        if not arrow:
            sys.exit(f"{head.splitlines()[0]}: no line of >>> between what is and what shall be")
        yield head.splitlines()[0].strip(), path.strip(), old, new.rstrip("\n")


def main():
    source = pathlib.Path(sys.argv[1]).read_text()
    folder = pathlib.Path(sys.argv[2])
    names, faults = set(), []
    for name, path, old, new in mutations("\n" + source):
        file = folder / path
        text = file.read_text() if file.exists() else ""
        if name in names:
            faults.append(f"{name}: stands twice in the list")
        if text.count(old) != 1:
            faults.append(f"{name}: {path} holds its text {text.count(old)} times, not once:\n{old}")
        if f'mutation("{name}")' not in new:
            faults.append(f'{name}: what shall be does not ask mutation("{name}")')
        names.add(name)
        if text:
            file.write_text(text.replace(old, new, 1))
    if faults:
        sys.exit("\n".join(faults))
    (folder / "Sources/ParlanceWire/Mutation.swift").write_text(FUNCTION)
    # A replacement may use members of modules that its file does not import.
    package = folder / "Package.swift"
    text, count = re.subn(r'.*"MemberImportVisibility".*\n', "", package.read_text())
    if count != 1:
        sys.exit(f"Package.swift names MemberImportVisibility in {count} lines, not one")
    package.write_text(text)
    print(f"{len(names)} mutations applied", file=sys.stderr)


main()
