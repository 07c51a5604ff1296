#!/usr/bin/env python3
"""Checks the vectors of this folder by other means than the code they were made with.

Hashes come from hashlib, Ed25519 from the package `cryptography`, CRC-32 from zlib, base32 from base64, protobuf from the
package `protobuf` and protoc's reading of ../parlance.proto. Needs Python 3.10, protoc and those two packages:

    python3 -m venv /tmp/v && /tmp/v/bin/pip install cryptography protobuf && /tmp/v/bin/python check.py
"""

import base64
import hashlib
import json
import pathlib
import struct
import subprocess
import tempfile
import zlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

HERE = pathlib.Path(__file__).resolve().parent
TAGS = dict(certificate=1, head=2, header=3, body=4, direct=5, clock=6, watermark=7, answer=8)


def messages():
    """The message classes, from protoc's reading of the .proto file."""
    with tempfile.NamedTemporaryFile() as out:
        folder = HERE.parent
        subprocess.run(["protoc", f"-I{folder}", f"-o{out.name}", str(folder / "parlance.proto")], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(out.name).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    names = ["Frame", "EventHeader", "Event", "Certificate", "ContactAnswer", "Watermark", "MessageBody", "WithdrawBody"]
    return {n: message_factory.GetMessageClass(pool.FindMessageTypeByName("parlance.v1." + n)) for n in names}


PB = messages()


def tagged(tag, data, size=32):
    return hashlib.blake2b(bytes([TAGS[tag]]) + data, digest_size=size).digest()


def h(text):
    return bytes.fromhex(text)


def be(number):
    return struct.pack(">Q", int(number))


def base32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


def signed_as_said(v, tag, parts):
    data = bytes([TAGS[tag]]) + b"".join(parts)
    assert data.hex() == v["signed"]
    private = Ed25519PrivateKey.from_private_bytes(h(v["seed"]))
    assert private.sign(data).hex() == v["signature"]


def peer_id(v):
    key = h(v["key"])
    crc = zlib.crc32(key) & 0xFFFFF
    check = "".join("abcdefghijklmnopqrstuvwxyz234567"[(crc >> s) & 31] for s in (15, 10, 5, 0))
    whole = base32(key) + check
    assert (base32(key), check, base32(key)[:8]) == (v["text"], v["check"], v["prefix"])
    assert " ".join(whole[i : i + 8] for i in range(0, 56, 8)) == v["grouped"]


def direct_conversation(v):
    found = tagged("direct", b"".join(sorted([h(v["a"]), h(v["b"])])))
    assert found.hex() == v["conversation"] and base32(found) == v["text"]


def certificate(v):
    parts = [b"\x01\x01", h(v["noise_static"]), h(v["replica"]), be(v["epoch"])]
    signed_as_said(v, "certificate", parts)
    m = PB["Certificate"].FromString(h(v["certificate"]))
    assert (m.version, m.suite, m.identity.hex(), m.epoch) == (1, 1, v["identity"], int(v["epoch"]))
    assert (m.noise_static.hex(), m.replica.hex(), m.signature.hex()) == (v["noise_static"], v["replica"], v["signature"])


def contact_answer(v):
    signed_as_said(v, "answer", [h(v["from"]), h(v["to"]), bytes([v["accepted"]]), be(v["time"])])
    m = PB["ContactAnswer"].FromString(h(v["answer"]))
    assert getattr(m, "from").hex() == v["from"] and m.to.hex() == v["to"] and m.accepted == v["accepted"]
    assert m.time == int(v["time"]) and m.signature.hex() == v["signature"]


def header(v):
    f = v["fields"]
    m = PB["EventHeader"](
        conversation=h(f["conversation"]), sequence=int(f["sequence"]), previous=h(f["previous"]),
        time=int(f["time"]), kind=f["kind"], body_hash=h(f["body_hash"]))
    m.log.author, m.log.replica = h(f["author"]), h(f["replica"])
    for d in f["dependencies"]:
        r = m.dependencies.add(sequence=int(d["sequence"]), id=h(d["id"]))
        r.log.author, r.log.replica = h(d["author"]), h(d["replica"])
    assert m.SerializeToString(deterministic=True).hex() == v["header"]
    assert tagged("header", h(v["header"])).hex() == v["id"]


def body(v):
    if "body" not in v:
        return
    data = b"".join(h(p["hex"]) * p["times"] for p in v["body"])
    assert tagged("body", data).hex() == v["hash"]
    word, _, rest = v["verdict"].partition(" ")
    if word == "message":
        assert len(PB["MessageBody"].FromString(data).text.encode()) == int(rest) <= 65_536
    if word == "withdraw":
        assert PB["WithdrawBody"].FromString(data).sequence == int(rest) < int(v["sequence"])


def head_signature(v):
    signed_as_said(v, "head", [h(v["id"])])


def clock(v):
    data = b""
    for e in sorted(v["entries"], key=lambda e: h(e["author"]) + h(e["replica"])):
        if int(e["sequence"]) > 0:
            data += h(e["author"]) + h(e["replica"]) + be(e["sequence"]) + h(e["head"])
            data += be(len(e["missing"])) + b"".join(be(n) for n in e["missing"])
        through = min([int(e["sequence"])] + [int(n) - 1 for n in e["missing"]])
        assert through == int(e["complete_through"])
    assert hashlib.blake2b(b"\x06" + data, digest_size=32).digest()[:8].hex() == v["hash"]


def run(v):
    """Follows the rules of events.md, "Runs", without the limits."""
    at, head, new, result, open_tail = int(v["held_sequence"]), h(v["held_head"]), [], "valid", False
    held = at
    for e in map(lambda e: PB["Event"].FromString(h(e)), v["events"]):
        m = PB["EventHeader"].FromString(e.header)
        body_fits = not e.HasField("body") or tagged("body", e.body) == m.body_hash
        body_fits = body_fits and (e.HasField("body") or m.kind != 2)  # a withdrawal has its body
        own = (m.conversation.hex(), m.log.author.hex(), m.log.replica.hex()) == (v["conversation"], v["author"], v["replica"])
        if not (own and body_fits and len(e.signature) in (0, 64)):
            result = "malformed"
        elif m.sequence <= held:
            continue
        elif m.sequence != at + 1:
            result = "gap"
        elif m.previous != head:
            result = "does not chain"
        elif e.signature and not verifies(v["author"], e.signature, tagged("header", e.header)):
            result = "bad signature"
        if result != "valid":
            break
        at, head, open_tail = m.sequence, tagged("header", e.header), not e.signature
        new.append(head.hex())
    if result == "valid" and open_tail:
        result = "bad signature"
    assert result == v["outcome"], (result, v["outcome"])
    assert result != "valid" or new == v["new"]


def verifies(author, signature, event_id):
    try:
        Ed25519PublicKey.from_public_bytes(h(author)).verify(signature, b"\x02" + event_id)
        return True
    except InvalidSignature:
        return False


def watermark(v):
    names = ["conversation", "member", "replica", "author", "author_replica"]
    parts = [h(v[n]) for n in names] + [be(v["sequence"]), h(v["head"]), bytes([v["level"]])]
    signed_as_said(v, "watermark", parts)
    m = PB["Watermark"].FromString(h(v["watermark"]))
    assert (m.member.hex(), m.sequence, m.head.hex(), m.level) == (v["member"], int(v["sequence"]), v["head"], v["level"])
    assert m.signature.hex() == v["signature"]


def effective_time(v):
    top = 2**63 - 1
    assert max([min(int(v["time"]), 2**62)] + [min(int(e) + 1, top) for e in v["earlier"]]) == int(v["effective"])


def cut(data):
    """One frame off the front: its bytes and the rest."""
    length = shift = i = 0
    while True:
        length |= (data[i] & 0x7F) << shift
        shift, i = shift + 7, i + 1
        if data[i - 1] < 0x80:
            return data[i : i + length], data[i + length :]


def frame(v):
    data, rest = cut(h(v["wire"]))
    assert rest == b""
    m = PB["Frame"].FromString(data)
    assert json_format.Parse(json.dumps(v["fields"]), PB["Frame"]()) == m
    assert m.SerializeToString(deterministic=True) == data


def stream(v):
    data = h(v["stream"])
    for f in v["frames"]:
        found, data = cut(data)
        assert found.hex() == f
    assert (data == b"") == (v["end"] == "whole")


def frame_ignored(v):
    assert PB["Frame"].FromString(h(v["frame"])).WhichOneof("kind") is None


def nothing(v):
    """What is refused, and how, is for an implementation to show."""


CHECKS = {
    "peer-id": peer_id, "direct-conversation": direct_conversation, "certificate": certificate,
    "contact-answer": contact_answer, "header": header, "header-refused": nothing, "body": body,
    "head-signature": head_signature, "clock": clock, "run": run, "watermark": watermark,
    "effective-time": effective_time, "frame": frame, "stream": stream, "frame-ignored": frame_ignored,
    "frame-refused": nothing,
}

for folder in ["identity", "events", "frames"]:
    for path in sorted((HERE / folder).glob("*.json")):
        contents = json.loads(path.read_text())
        for vector in contents["vectors"]:
            try:
                CHECKS[contents["kind"]](vector)
            except Exception as error:
                raise SystemExit(f"{path.name}: {vector['name']}: {error!r}")
        print(f"{folder}/{path.name}: {len(contents['vectors'])} vectors agree")
