#!/usr/bin/env python3
"""folds.py: writes Sources/ParlanceLetters/Generated/Folds.swift anew, from the Unicode tables of the Python that runs
it: the letters that search treats like another, which is mostly the same letter without its accents."""
import pathlib
import unicodedata

TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/ParlanceLetters/Generated/Folds.swift"
# Letters that Unicode does not decompose, though people without that key type another.
TYPED = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "ſ": "s",
         "ς": "σ", "þ": "th", "ŋ": "n"}
# Scripts whose accents are left out by people who write them: others have vowels as marks.
ACCENTED = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW")


def fold(code):
    """What a lower-case letter is treated like; the same letter if like nothing else."""
    letter = chr(code)
    if letter in TYPED:
        return TYPED[letter]
    if not unicodedata.category(letter).startswith("L") or not unicodedata.name(letter, "").startswith(ACCENTED):
        return letter
    plain = "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c)).lower()
    return "".join(TYPED.get(c, c) for c in plain) or letter


def groups():
    """The letters that are treated alike, by what they are treated like."""
    found = {}
    for code in range(0x80, 0x20000):
        letter = chr(code)
        if letter.lower() == letter and fold(code) != letter:
            found.setdefault(fold(code), []).append(letter)
    return sorted(found.items())


lines = [
    f'        ("{like}", "{"".join(chr(92) + "u{" + format(ord(c), "X") + "}" for c in letters)}"),\n'
    for like, letters in groups()
]
TARGET.parent.mkdir(parents=True, exist_ok=True)
TARGET.write_text(
    f"""// DO NOT EDIT.
// swift-format-ignore-file
//
// Made by contrib/folds.py from Unicode {unicodedata.unidata_version}.

/// Lower-case letters that search treats alike.
enum Folds {{
    /// What letters are treated like, and these letters.
    static let groups: [(String, String)] = [
{"".join(lines)}    ]
}}
"""
)
