#!/usr/bin/env python3
"""skeletons.py: writes Sources/ParlanceCore/Peers/Generated/Skeletons.swift anew, from Unicode's confusables.txt as the library
ICU carries it (Debian: libicu72 or a later one): the characters that look like others (Unicode Technical Standard 39,
section 4). It leaves out what has a compatibility decomposition, which the program applies first."""
import ctypes
import ctypes.util
import pathlib
import re
import unicodedata

TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/ParlanceCore/Peers/Generated/Skeletons.swift"
LINE = 100


def library(name):
    path = ctypes.util.find_library(name)
    if not path:
        raise SystemExit(f"skeletons.py: the library {name} is missing: apt-get install libicu72")
    return ctypes.CDLL(path), re.search(r"\.so\.(\d+)", path).group(1)


(I18N, ICU), (COMMON, _) = library("icui18n"), library("icuuc")


def function(of, name):
    return getattr(of, f"{name}_{ICU}")


def unicode_version():
    numbers = (ctypes.c_uint8 * 4)()
    function(COMMON, "u_getUnicodeVersion")(numbers)
    return ".".join(str(number) for number in numbers[:3])


def checker():
    status = ctypes.c_int(0)
    opened = function(I18N, "uspoof_open")
    opened.restype = ctypes.c_void_p
    found = ctypes.c_void_p(opened(ctypes.byref(status)))
    if status.value > 0:
        raise SystemExit("skeletons.py: ICU does not open its table of look-alikes.")
    return found


def skeleton(text, spoof):
    room, status = ctypes.create_string_buffer(256), ctypes.c_int(0)
    given = text.encode()
    size = function(I18N, "uspoof_getSkeletonUTF8")(spoof, 0, given, len(given), room, len(room), ctypes.byref(status))
    if status.value > 0:
        raise SystemExit(f"skeletons.py: ICU has no skeleton of {text!r}.")
    return room.raw[:size].decode()


def pairs():
    """Characters and what they look like, ascending."""
    spoof = checker()
    for code in range(0x21, 0x110000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cs", "Co", "Cn", "Cc", "Cf") or unicodedata.normalize("NFKD", letter) != letter:
            continue
        like = skeleton(letter, spoof)
        if like and like != letter:
            yield letter, like


def literal(text):
    return "".join(c if c.isascii() and c.isalnum() else f"\\u{{{ord(c):X}}}" for c in text)


def lines():
    """The pairs as one text, divided over lines of source."""
    line = ""
    for letter, like in pairs():
        line += literal(letter + like) + "\\n"
        if len(line) >= LINE:
            yield line
            line = ""
    yield line


BODY = "".join(f"        {line}\\\n" for line in lines() if line)
TARGET.parent.mkdir(parents=True, exist_ok=True)
TARGET.write_text(
    f"""// DO NOT EDIT.
// swift-format-ignore-file
//
// Made by contrib/skeletons.py from the confusables of Unicode {unicode_version()}.

/// Characters that look like others.
enum Skeletons {{
    /// A line for each character, ascending: the character, then what it looks like.
    static let table: StaticString = \"\"\"
{BODY}
        \"\"\"
}}
"""
)
