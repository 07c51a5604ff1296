#!/usr/bin/env python3
"""widths.py: writes Sources/ParlanceTerminal/Generated/WideRanges.swift anew, from the Unicode tables of the Python that
runs it: the characters that take two columns of a terminal (Unicode Standard Annex 11, East Asian Wide and Fullwidth)."""
import pathlib
import unicodedata

TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/ParlanceTerminal/Generated/WideRanges.swift"
# The planes of ideographs are wide by rule, also where nothing is assigned yet.
IDEOGRAPHS = set(range(0x20000, 0x2FFFE)) | set(range(0x30000, 0x3FFFE))


def is_wide(code):
    # Older versions of Python call what is not assigned fullwidth.
    return code in IDEOGRAPHS or (
        unicodedata.category(chr(code)) != "Cn" and unicodedata.east_asian_width(chr(code)) in "WF"
    )


def ranges():
    """The first and the last of each run of wide characters."""
    first = None
    for code in range(0x110001):
        wide = code < 0x110000 and is_wide(code)
        if wide and first is None:
            first = code
        if not wide and first is not None:
            yield first, code - 1
            first = None


lines = [f"        0x{first:X}...0x{last:X},\n" for first, last in ranges()]
TARGET.write_text(
    f"""// DO NOT EDIT.
// swift-format-ignore-file
//
// Made by contrib/widths.py from Unicode {unicodedata.unidata_version}.

/// The characters that take two columns of a terminal, ascending.
enum WideRanges {{
    static let all: [ClosedRange<UInt32>] = [
{"".join(lines)}    ]
}}
"""
)
