#!/usr/bin/env python3
"""Makes the reference data of ParlanceAssistantTests from the files of all-MiniLM-L6-v2.

Use: pip install tokenizers numpy
     make_reference.py FOLDER_OF_THE_MODEL FOLDER_OF_THE_DATA

FOLDER_OF_THE_MODEL holds model.safetensors and vocab.txt. The script writes tokens.jsonl (what Hugging Face's
`tokenizers` makes of 1,000 lines) and vectors.jsonl (what the network makes of 30 texts, computed in float64).
Every run gives the same texts: the random ones come from a fixed seed.
"""

import json
import math
import pathlib
import random
import struct
import sys

import numpy
from tokenizers import BertWordPieceTokenizer

LINES = 1000
LONGEST = 256

SENTENCES = """\
The weather is lovely today.
It's so sunny outside!
He drove to the stadium.
Can we meet at 7:30 p.m. tomorrow, near the old station?
Please send me the invoice (no. 2024-117) before Friday; otherwise I'll be charged twice.
My flight lands at 6, so don't wait with dinner.
Where did you put the keys to the bike shed?
The server went down again last night -- who is on call?
I have attached the photos from grandma's 80th birthday.
Reminder: the rent is due on the 1st of every month.
lol that's sooo funny 😂😂😂
ok
Thanks a lot!!!
https://example.org/path?query=1&other=two#fragment
alice@example.com wrote: "see you at 10"
Wir treffen uns morgen um halb acht vor dem Kino.
Die Straße nach Köln ist wegen Überschwemmung gesperrt.
Kannst du bitte Brötchen und Käse mitbringen?
Où est la bibliothèque ? J'ai oublié mon manteau là-bas.
L'été dernier, nous avons mangé des crêpes à Orléans.
¿Dónde está el niño? Mañana será otro día.
O coração da avó está melhor, graças a Deus.
Il gatto è sul tetto e non vuole scendere.
Zażółć gęślą jaźń.
Příliš žluťoučký kůň úpěl ďábelské ódy.
Árvíztűrő tükörfúrógép.
İstanbul'da ILIK bir gün; ışık ve İĞNE.
Đặng Thị Hồng đi chợ mua cá lúc sáng sớm.
Θα σας δω αύριο στις οκτώ. ΟΔΥΣΣΕΥΣ
Съешь же ещё этих мягких французских булок, да выпей чаю.
Її їжак з'їв ґанок.
Това е изречение на български език.
שלום, מה שלומך היום? שָׁלוֹם
مرحبا، كيف حالك اليوم؟ السَّلَامُ عَلَيْكُمْ
سلام، حال شما چطور است؟
नमस्ते, आप कैसे हैं? क्या आप कल आएँगे।
আমি বাংলায় গান গাই।
தமிழ் மொழி மிகவும் பழமையானது.
తెలుగు భాష చాలా అందంగా ఉంటుంది.
ಕನ್ನಡ ನಾಡು ನುಡಿ.
മലയാളം എന്റെ ഭാഷയാണ്.
ภาษาไทยเป็นภาษาที่สวยงาม น้ำ
ພາສາລາວ
ភាសាខ្មែរ
မြန်မာဘာသာ
ქართული ენა ლამაზია. ᲥᲐᲠᲗᲣᲚᲘ
Հայերենը հին լեզու է։
አማርኛ ቋንቋ ነው።
我喜欢吃苹果。你呢?
東京都は日本の首都です。カタカナとひらがな、パーティー。
ガギグゲゴ ｶﾞｷﾞｸﾞ ﾊﾟ
한국어는 재미있어요. 안녕하세요!
ᄒ\u1161ᆫ 각\u11a8
𝕳𝖊𝖑𝖑𝖔 ｆｕｌｌ ｗｉｄｔｈ １２３
Ⅷ ⅷ ① ½ ㎏ ™ ℃ Ω Å K ﬁ ﬃ ﬆ
naïve café résumé coöperate façade
nai\u0308ve cafe\u0301 re\u0301sume\u0301
ẞ ß STRASSE Straße
Ǆ ǅ ǆ Ǉ Ǳ ŉ ΐ ᾳ ᾼ
""".splitlines()

EDGES = [
    "", " ", "\t", "\n", "\r\n", "\u0000", "a\u0000b", "a\u0001b", "a\u007fb", "a\u0085b", "a\u000bb\u000cc",
    "a\u00a0b",
    "a\u00adb", "a\u200bb", "a\u200cb", "a\u200db", "a\u200eb", "a\u2028b\u2029c", "a\u202eb", "a\u2060b", "a\ufeffb",
    "\ufeffa",
    "a\ufffdb", "a\ufffcb", "a\ufffeb", "a\uffffb", "a\ue000b", "a\U000f0000b", "a\U0010ffffb", "a\u0378b", "a\u0530b",
    "a\U0001fbffb", "a\U000e0001b", "a\U000e0100b", "a\u180eb", "a\u1680b", "a\u3000b", "a\u2000b\u2003c\u200ad",
    "a\u205fb",
    "👨‍👩‍👧‍👦", "👩🏽‍💻 works", "🏳️‍🌈", "🇩🇪🇫🇷", "❤️ ♥", "1️⃣2️⃣", "🤷🏻‍♀️ ok", "🫠🫶🏿🪿",
    "İ", "I\u0307", "i\u0307", "ı", "İİİ", "ǰ", "ẖ", "ﬃ", "ŉ", "Σ ς ΑΣ", "ΑΣ.", "ß ẞ", "K", "Å", "Ω", "ſ",
    "e\u0301\u0302\u0303", "\u0301", "\u0301a", " \u0301 ", "a\u0315\u0300\u05ae\u0062", "a\u302e\u0323\u302fb",
    "q\u0307\u0323",
    "\U0001d15e\U0001d165\U0001d16d", "a\U0001d165\U0001d16d\U0001d165b", "\u0f73\u0f75\u0f81", "\u0344",
    "\u212b\u2126\u212a",
    "\uf900\ufa0e\U0002f800", "\uac00\ud7a3", "\u1100\u1161\u11a8", "\u3131\u314f", "가각힣", "〆〇々〻", "㐀㿿", "𠀀𪛖", "𫝀𫠝",
    "㍿㌔",
    "x" * 99, "x" * 100, "x" * 101, "é" * 100, "é" * 101, "한" * 33, "한" * 34, "한" * 50, "ab" * 60 + " tail",
    "word " * 300,
    "漢" * 300, "!" * 300, "unaffable " * 100, "[CLS] [SEP] [UNK] [MASK] [PAD]", "[cls]text[sep]", "##ing ##",
    "# ## ###", "[", "]",
    "don't can't I'm you're", "a-b_c+d=e<f>g|h~i`j^k$l", "§¶·¿¡«»‹›„“”‘’‚–—…‰′″", "。、「」『』【】〈〉！？：；", "؟؛،٪٫٬۔", "।॥॰",
    "¢£¤¥€₿",
    "3.14159", "1,000,000", "１２３", "٣٤٥", "१२३", "x²+y³", "H₂O", "a\u0488b\u0489c", "\u0903\u093e\u093f",
    "\u0e33\u0eb3", "\u0ddc\u0dde",
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ", "ĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦ", "ϒϓϔ", "\u1e9b\u0323", "\u0958\u0959\u095c",
    "\ufb1d\ufb2a\ufb4f",
    "\u1c80\u1c90\u1cbf", "\u10a0\u10c5\u2d00", "\ua640\ua641\ua69e", "\u13a0\uab70\u13f8", "\U00010400\U00010428",
    "\U0001e900\U0001e922",
]

BLOCKS = [
    (0x00, 0x7F), (0x80, 0xFF), (0x100, 0x17F), (0x180, 0x24F), (0x250, 0x2AF), (0x2B0, 0x2FF), (0x300, 0x36F),
    (0x370, 0x3FF), (0x400, 0x52F), (0x530, 0x58F), (0x590, 0x5FF), (0x600, 0x6FF), (0x700, 0x74F), (0x780, 0x7BF),
    (0x7C0, 0x7FF), (0x800, 0x8FF), (0x900, 0x97F), (0x980, 0x9FF), (0xA00, 0xA7F), (0xA80, 0xAFF), (0xB00, 0xB7F),
    (0xB80, 0xBFF), (0xC00, 0xC7F), (0xC80, 0xCFF), (0xD00, 0xD7F), (0xD80, 0xDFF), (0xE00, 0xE7F), (0xE80, 0xEFF),
    (0xF00, 0xFFF), (0x1000, 0x109F), (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1200, 0x139F), (0x13A0, 0x13FF),
    (0x1400, 0x167F), (0x1680, 0x16FF), (0x1700, 0x177F), (0x1780, 0x17FF), (0x1800, 0x18AF), (0x1900, 0x1AFF),
    (0x1B00, 0x1C7F), (0x1C80, 0x1CFF), (0x1D00, 0x1DFF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F),
    (0x2070, 0x20CF), (0x20D0, 0x20FF), (0x2100, 0x21FF), (0x2200, 0x22FF), (0x2300, 0x24FF), (0x2500, 0x27BF),
    (0x27C0, 0x2BFF), (0x2C00, 0x2DFF), (0x2E00, 0x2E7F), (0x2E80, 0x2FFF), (0x3000, 0x303F), (0x3040, 0x30FF),
    (0x3100, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA4CF), (0xA4D0, 0xA6FF), (0xA700, 0xA7FF),
    (0xA800, 0xABFF), (0xAC00, 0xD7FF), (0xE000, 0xF8FF), (0xF900, 0xFAFF), (0xFB00, 0xFDFF), (0xFE00, 0xFE6F),
    (0xFE70, 0xFEFF), (0xFF00, 0xFFFF), (0x10000, 0x103FF), (0x10400, 0x10FFF), (0x11000, 0x11FFF), (0x12000, 0x167FF),
    (0x16800, 0x1BFFF), (0x1D000, 0x1D7FF), (0x1D800, 0x1EFFF), (0x1F000, 0x1F2FF), (0x1F300, 0x1FAFF),
    (0x20000, 0x2FA1F), (0x30000, 0x3FFFF), (0xE0000, 0xE01EF), (0xF0000, 0x10FFFF),
]


def tokenizer(folder):
    made = BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)
    # A message that holds the characters "[SEP]" is text, never a special token.
    made._tokenizer.encode_special_tokens = True
    made.enable_truncation(LONGEST)
    return made


def lines():
    random_numbers = random.Random(384)
    words = [word for sentence in SENTENCES for word in sentence.split()]
    every = [line.encode("utf-16", "surrogatepass").decode("utf-16") for line in SENTENCES + EDGES]
    seen = set(every)

    def character():
        first, last = random_numbers.choice(BLOCKS)
        return chr(random_numbers.randint(first, last))

    while len(every) < LINES:
        kind = len(every) % 4
        if kind == 0:
            line = " ".join(random_numbers.choices(words, k=random_numbers.randint(2, 12)))
        elif kind == 1:
            first, last = random_numbers.choice(BLOCKS)
            line = "".join(chr(random_numbers.randint(first, last)) for _ in range(random_numbers.randint(1, 24)))
        elif kind == 2:
            count = random_numbers.randint(1, 24)
            line = "".join(character() + random_numbers.choice(["", "", " ", "a"]) for _ in range(count))
        else:
            line = " ".join(
                word[:cut] + character() + word[cut:]
                for word in random_numbers.choices(words, k=random_numbers.randint(1, 8))
                for cut in [random_numbers.randint(0, len(word))]
            )
        if line not in seen:
            seen.add(line)
            every.append(line)
    return every


def tensors(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    result = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            flat = numpy.frombuffer(data[8 + length + first : 8 + length + last], dtype="<f4")
            result[name] = flat.reshape(entry["shape"]).astype(numpy.float64)
    return result


def embed(weights, ids):
    error_function = numpy.vectorize(math.erf)

    def dense(name, x):
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]

    def normalise(name, x):
        centred = x - x.mean(-1, keepdims=True)
        deviation = numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / deviation * weights[name + ".weight"] + weights[name + ".bias"]

    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = normalise("embeddings.LayerNorm", x)
    for layer in range(6):
        name = f"encoder.layer.{layer}."
        query, key, value = (
            dense(name + "attention.self." + part, x).reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        context = (scores @ value).transpose(1, 0, 2).reshape(len(ids), 384)
        x = normalise(name + "attention.output.LayerNorm", dense(name + "attention.output.dense", context) + x)
        inner = dense(name + "intermediate.dense", x)
        inner = inner * 0.5 * (1 + error_function(inner / math.sqrt(2)))
        x = normalise(name + "output.LayerNorm", dense(name + "output.dense", inner) + x)
    mean = x.mean(0)
    return mean / numpy.linalg.norm(mean)


def main():
    model, data = map(pathlib.Path, sys.argv[1:])
    reference = tokenizer(model)
    with open(data / "tokens.jsonl", "w") as output:
        for line in lines():
            output.write(json.dumps({"text": line, "ids": reference.encode(line).ids}) + "\n")
    weights = tensors(model / "model.safetensors")
    texts = [SENTENCES[index] for index in range(0, 58, 2)] + [" ".join(SENTENCES[:40])]
    vectors = [embed(weights, reference.encode(text).ids) for text in SENTENCES[:3]]
    # The model's documentation gives these as 0.6660, 0.1046 and 0.1411.
    print([round(float(vectors[a] @ vectors[b]), 4) for a, b in ((0, 1), (0, 2), (1, 2))])
    with open(data / "vectors.jsonl", "w") as output:
        for text in texts:
            vector = [round(float(value), 6) for value in embed(weights, reference.encode(text).ids)]
            output.write(json.dumps({"text": text, "vector": vector}) + "\n")


main()
