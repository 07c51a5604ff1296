#!/usr/bin/env python3
"""emojis.py: writes Sources/ParlanceChat/Generated/EmojiTable.swift anew, from the English names of Debian's package
python3-emoji (apt-get install python3-emoji): the short names that GitHub and others use, such as :tada:. Skin tones and
flags of regions are left out: they are typed with a keyboard of the desktop."""
import pathlib
import re

from emoji import unicode_codes

TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/ParlanceChat/Generated/EmojiTable.swift"


def names():
    """Each name in ASCII with its emoji, ascending; the alias wins where two emoji have a name."""
    found = {}
    for is_alias in (False, True):
        for emoji, data in unicode_codes.EMOJI_DATA.items():
            if data["status"] != unicode_codes.STATUS["fully_qualified"] or re.search("[\U0001F3FB-\U0001F3FF]", emoji):
                continue
            for name in data.get("alias", []) if is_alias else [data["en"]]:
                name = name.strip(":").lower().replace("’", "").replace(".", "")
                if re.fullmatch(r"[a-z0-9_+-]{1,24}", name):
                    found[name] = emoji
    return sorted(found.items())


lines = [f"        {name} {emoji}\n" for name, emoji in names()]
TARGET.parent.mkdir(exist_ok=True)
TARGET.write_text(
    f"""// DO NOT EDIT.
// swift-format-ignore-file
//
// Made by contrib/emojis.py from python3-emoji.

/// Short names of emoji: each line has a name and its emoji, ascending by name.
enum EmojiTable {{
    static let lines = \"\"\"
{"".join(lines)}        \"\"\"
}}
"""
)
