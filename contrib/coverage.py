#!/usr/bin/env python3
"""coverage.py FOLDER: reads `llvm-cov export` on standard input and lists the regions of the code below a folder that no run has
reached, file by file, with their lines; the last line counts them. A region is a piece of code between two decisions."""
import collections
import json
import pathlib
import sys


def regions(export, folder):
    """How often each region of each file was reached; code that is compiled several times is counted once."""
    counts = collections.defaultdict(collections.Counter)
    for function in export["data"][0]["functions"]:
        for *place, count, file, _, kind in function["regions"]:
            path = pathlib.Path(function["filenames"][file])
            if kind == 0 and path.is_relative_to(folder):
                counts[path][tuple(place)] += count
    return counts


def outermost(places):
    """Those that are in no other one: (first line, first column, last line, last column) each."""
    end = (0, 0)
    for place in sorted(places, key=lambda place: (place[:2], [-number for number in place[2:]])):
        if place[2:] > end:
            end = place[2:]
            yield place


def main():
    folder = pathlib.Path(sys.argv[1])
    reached = known = 0
    for path, counts in sorted(regions(json.load(sys.stdin), folder).items()):
        missed = [place for place, count in counts.items() if count == 0]
        known += len(counts)
        reached += len(counts) - len(missed)
        if not missed:
            continue
        print(f"\n{path.relative_to(folder)}: {len(missed)} of {len(counts)} regions not reached")
        lines = path.read_text().splitlines()
        for first, column, last, _ in outermost(missed):
            text = lines[first - 1]
            code = text if len(text.strip()) < 100 else text[column - 1 :]
            print(f"  {first}{'' if last == first else f'-{last}'}: {code.strip()[:110]}")
    share = 100 * reached / max(1, known)
    print(f"\n{reached} of {known} regions of {folder.name} reached ({share:.1f} %), {known - reached} not")


main()
