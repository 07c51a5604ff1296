#!/usr/bin/env python3
"""Makes the pictures of this folder with Pillow 12, and compares pictures that were cleaned with them.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install pillow && /tmp/v/bin/python make.py
    /tmp/v/bin/python make.py --compare FOLDER    pictures of the same names must show the same, and tell nothing

Whatever a picture tells besides what it shows contains the word Reykjavik. Positions are those of that city.
"""

import io
import pathlib
import sys
import zlib

from PIL import Image, ImageCms, ImageOps, PngImagePlugin

HERE = pathlib.Path(__file__).resolve().parent
WORD = "Reykjavik"
XMP = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>Reykjavik 64N 21W</x:xmpmeta>"


def picture(width=24, height=16, shift=0):
    image = Image.new("RGB", (width, height))
    image.putdata([((x * 9 + shift) % 256, (y * 13) % 256, (x * y) % 256) for y in range(height) for x in range(width)])
    return image


def exif(orientation):
    found = Image.Exif()
    found[0x0112] = orientation
    found[0x010E] = WORD
    found[0x0110] = WORD + " phone"
    found.get_ifd(0x8825).update({1: "N", 2: (64.0, 8.0, 0.0), 3: "W", 4: (21.0, 56.0, 0.0), 27: WORD.encode()})
    return found


def profile():
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def segment(marker, payload):
    return bytes([0xFF, marker]) + (len(payload) + 2).to_bytes(2, "big") + payload


def jpeg(orientation, **how):
    out = io.BytesIO()
    picture().save(out, "JPEG", exif=exif(orientation), icc_profile=profile(), comment=WORD, **how)
    data = out.getvalue()
    # Behind the JFIF segment, what cameras and programs add; behind the end, what telephones do.
    at = 4 + int.from_bytes(data[4:6], "big")
    more = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP) + segment(0xED, b"Photoshop 3.0\0" + WORD.encode())
    more += segment(0xE2, b"MPF\0" + WORD.encode()) + segment(0xEC, WORD.encode()) + segment(0xE0, b"JFXX\0" + WORD.encode())
    return data[:at] + more + data[at:] + b"ftypmp42" + WORD.encode()


def chunk(kind, data):
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def png(orientation, **how):
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", WORD)
    texts.add_text("Packed", WORD, zip=True)
    texts.add_itxt("XML:com.adobe.xmp", XMP.decode())
    out = io.BytesIO()
    picture().save(out, "PNG", pnginfo=texts, exif=exif(orientation), icc_profile=profile(), dpi=(72, 72), **how)
    data = out.getvalue()
    more = chunk(b"tIME", bytes([7, 234, 11, 24, 12, 0, 0])) + chunk(b"prVt", WORD.encode())
    return data[:33] + more + data[33:] + WORD.encode()


def webp(orientation, **how):
    out = io.BytesIO()
    picture().save(out, "WEBP", exif=exif(orientation), xmp=XMP, icc_profile=profile(), **how)
    return out.getvalue() + WORD.encode()


def gif():
    out = io.BytesIO()
    frames = [picture(shift=s).quantize(16) for s in (40, 80)]
    picture().quantize(16).save(out, "GIF", save_all=True, append_images=frames, duration=100, loop=0, comment=WORD.encode())
    data = out.getvalue()
    at = 13 + (3 << (data[10] & 7) + 1)
    xmp = b"\x21\xff\x0bXMP DataXMP" + b"".join(bytes([len(XMP)]) + XMP for _ in range(2)) + b"\0"
    return data[:at] + xmp + data[at:] + WORD.encode()


def plain(kind, **how):
    out = io.BytesIO()
    picture().save(out, kind, **how)
    return out.getvalue()


def make():
    made = {
        "baseline.jpg": jpeg(6, quality=80), "progressive.jpg": jpeg(1, quality=80, progressive=True),
        "restarts.jpg": jpeg(3, quality=80, restart_marker_blocks=1), "plain.jpg": plain("JPEG"),
        "rotated.png": png(8), "upright.png": png(1), "plain.png": plain("PNG"),
        "animated.png": png(1, save_all=True, append_images=[picture(shift=50)]),
        "lossy.webp": webp(6, quality=70), "lossless.webp": webp(1, lossless=True), "plain.webp": plain("WEBP", quality=70),
        "plain-lossless.webp": plain("WEBP", lossless=True),
        "animated.webp": webp(1, save_all=True, append_images=[picture(shift=50)]),
        "animated.gif": gif(), "plain.gif": plain("GIF"), "small.avif": plain("AVIF"), "small.tiff": plain("TIFF"),
    }
    for name, data in made.items():
        (HERE / name).write_bytes(data)
        print(name, len(data))


def frames(image):
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append((image.convert("RGBA").tobytes(), image.info.get("duration")))
    return found


def compare(folder):
    for path in sorted(HERE.iterdir()):
        if path.suffix not in (".jpg", ".png", ".webp", ".gif"):
            continue
        before, after = Image.open(path), Image.open(folder / path.name)
        assert frames(before) == frames(after), path.name
        assert before.info.get("icc_profile") == after.info.get("icc_profile"), path.name
        # The orientation is all that is left.
        turned = {k: v for k, v in before.getexif().items() if k == 0x0112 and v != 1}
        assert dict(after.getexif()) == turned, (path.name, dict(after.getexif()))
        assert ImageOps.exif_transpose(before).size == ImageOps.exif_transpose(after).size
        assert not after.getexif().get_ifd(0x8825) and WORD.encode() not in (folder / path.name).read_bytes(), path.name
        assert not {"xmp", "comment", "Comment", "Packed", "photoshop"} & set(after.info), (path.name, after.info)
        print(path.name, before.size, "shows the same and tells nothing")


if __name__ == "__main__":
    compare(pathlib.Path(sys.argv[2])) if sys.argv[1:2] == ["--compare"] else make()
