#!/usr/bin/env python3
"""Checks the vectors of this folder by other means than the code they were made with.

Hashes come from hashlib, Ed25519 from the package `cryptography`, CRC-32 from zlib, base32 from base64, protobuf from the
package `protobuf` and protoc's reading of ../parlance.proto. Needs Python 3.10, protoc and those two packages, of `cryptography` 44 or
later (Argon2id):

    python3 -m venv /tmp/v && /tmp/v/bin/pip install cryptography protobuf && /tmp/v/bin/python check.py
"""

import base64
import hashlib
import json
import pathlib
import struct
import subprocess
import tempfile
import unicodedata
import zlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.poly1305 import Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

HERE = pathlib.Path(__file__).resolve().parent
TAGS = dict(certificate=1, head=2, header=3, body=4, direct=5, clock=6, watermark=7, answer=8, group=9, membership=10, branch=11)
TAGS |= dict(prekey=13, envelope=14, envelope_key=15, taken=16, addresses=18)
TAGS |= dict(parcel_name=20, parcel=21, parcel_load=22, parcel_state=23)
TAGS |= dict(file_leaf=24, file_root=25)
TAGS |= dict(sealed_file_name=26, sealed_file_secret=27, sealed_file_key=28, sealed_file_mark=29)
TAGS |= dict(picture=30, picture_signature=31, charter=32, charter_log=33, invitation=34, invitation_proof=35)


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
    names += ["EditBody", "ReactionBody", "CreateBody", "MembersBody", "TitleBody", "TopicBody", "LifetimeBody"]
    names += ["Events", "Prekeys", "Envelope", "Taken", "Addresses.Entry", "Picture"]
    names += ["Parcel", "ParcelContent", "ParcelLoad", "CarriedFile", "FolderListing", "CharterDetails"]
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


def check_characters(key):
    crc = zlib.crc32(key) & 0xFFFFF
    return "".join("abcdefghijklmnopqrstuvwxyz234567"[(crc >> s) & 31] for s in (15, 10, 5, 0))


def whole_id(key):
    return base32(key) + check_characters(key)


def peer_id(v):
    key = h(v["key"])
    check, whole = check_characters(key), whole_id(key)
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


def safety_number(v):
    """Signal's construction with an empty name (verification.md), one half after the other."""
    halves = []
    for key in (h(v["one"]), h(v["other"])):
        found = struct.pack(">H", 1) + key
        for _ in range(5200):
            found = hashlib.sha512(found + key).digest()
        halves.append("".join("%05d" % (int.from_bytes(found[i : i + 5], "big") % 100_000) for i in range(0, 30, 5)))
    digits = "".join(sorted(halves))
    assert " ".join(digits[i : i + 5] for i in range(0, 60, 5)) == v["number"]
    one, other = whole_id(h(v["one"])).upper(), whole_id(h(v["other"])).upper()
    assert f"PARLANCE:1:{one}:{other}" == v["shown_by_one"] and f"PARLANCE:1:{other}:{one}" == v["shown_by_other"]


def hchacha20(key, nonce):
    """draft-irtf-cfrg-xchacha-03, 2.2: ten double rounds, and no addition at the end."""
    s = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key) + struct.unpack("<4I", nonce))

    def quarter(a, b, c, d):
        for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            mixed = s[z] ^ s[x]
            s[z] = (mixed << bits | mixed >> (32 - bits)) & 0xFFFFFFFF

    for _ in range(10):
        for i in range(4):
            quarter(i, i + 4, i + 8, i + 12)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<8I", *s[:4], *s[12:])


def identity_file(v):
    words = v["file"].split()
    assert words[:2] == ["parlance-identity-2", "argon2id"] and v["file"] == " ".join(words) + "\n"
    passes, memory, salt, nonce, sealed = int(words[2]), int(words[3]), h(words[4]), h(words[5]), h(words[6])
    kdf = Argon2id(salt=salt, length=32, iterations=passes, lanes=1, memory_cost=memory // 1024)
    key = kdf.derive(v["passphrase"].encode())
    inner = ChaCha20Poly1305(hchacha20(key, nonce[:16]))
    seed = inner.decrypt(bytes(4) + nonce[16:], sealed, " ".join(words[:5]).encode())
    assert key.hex() == v["key"] and seed.hex() == v["seed"]


def header(v):
    f = v["fields"]
    m = PB["EventHeader"](
        conversation=h(f["conversation"]), sequence=int(f["sequence"]), previous=h(f["previous"]),
        time=int(f["time"]), kind=f["kind"], body_hash=h(f["body_hash"]))
    m.log.author, m.log.replica = h(f["author"]), h(f["replica"])
    for d in f["dependencies"]:
        r = m.dependencies.add(sequence=int(d["sequence"]), id=h(d["id"]))
        r.log.author, r.log.replica = h(d["author"]), h(d["replica"])
    if "target" in f:
        t = f["target"]
        m.target.sequence, m.target.id = int(t["sequence"]), h(t["id"])
        m.target.log.author, m.target.log.replica = h(t["author"]), h(t["replica"])
    if "behind" in f:
        m.behind = int(f["behind"])
        assert max(0, (m.time >> 16) - m.behind) == int(f["written"])
    assert m.SerializeToString(deterministic=True).hex() == v["header"]
    assert tagged("header", h(v["header"])).hex() == v["id"]


def body(v):
    if "body" not in v:
        # Only a body of zero bytes is held without being there.
        assert "hash" not in v or v["hash"] == tagged("body", b"").hex()
        return
    data = b"".join(h(p["hex"]) * p["times"] for p in v["body"])
    assert tagged("body", data).hex() == v["hash"]
    word, _, rest = v["verdict"].partition(" ")
    if word == "edit":
        assert len(PB["EditBody"].FromString(data).text.encode()) == int(rest) <= 65_536
    if word == "delete":
        assert data == b""
    if word == "reaction":
        m = PB["ReactionBody"].FromString(data)
        assert rest == ("removed " if m.removed else "added ") + m.emoji and len(m.emoji.encode()) <= 32
    if word == "renamed":
        assert PB["TitleBody"].FromString(data).title == rest and is_title(rest)
    if word == "topic":
        assert PB["TopicBody"].FromString(data).topic == rest and (rest == "" or is_title(rest))
    if word == "lifetime":
        assert PB["LifetimeBody"].FromString(data).seconds == int(rest)
        assert rest == "0" or 3_600 <= int(rest) <= 315_360_000
    if word == "message":
        m = PB["MessageBody"].FromString(data)
        size, _, files = rest.partition(" files ")
        assert len(m.text.encode()) == int(size) <= 65_536 and len(m.files) == int(files or 0) <= 32
        for f in m.files:
            assert len(f.file) == 32 and 0 < len(f.name.encode()) <= 1_024 and f.size <= 1 << 40
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
        # Only messages and edits, and what nobody knows, may come without a body that they have.
        body_fits = body_fits and (e.HasField("body") or m.kind in (1, 4) or m.kind > 11 or m.body_hash == tagged("body", b""))
        body_fits = body_fits and (m.kind not in (7, 8) or e.signature != b"")  # a membership event is a head
        own = (m.conversation.hex(), m.log.author.hex(), m.log.replica.hex()) == (v["conversation"], v["author"], v["replica"])
        if not (own and body_fits and len(e.signature) in (0, 64)):
            result = "malformed"
        elif m.sequence == held and tagged("header", e.header).hex() != v["held_head"]:
            result = "does not chain"  # another event in the place of the one that is held
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


def is_title(text):
    """Something to read, at most 200 bytes, no control characters (groups.md, "Creation")."""
    blank = all(unicodedata.category(c) in ("Zs", "Zl", "Zp") or c in "\t\n\v\f\r\x85" for c in text)
    return not blank and len(text.encode()) <= 200 and all(unicodedata.category(c) != "Cc" for c in text)


class Change:
    """A membership event by itself (groups.md, "Membership events"); `ok` says whether it keeps the rules."""

    def __init__(self, data, conversation):
        e = PB["Event"].FromString(data)
        m = PB["EventHeader"].FromString(e.header)
        self.id, self.author, self.replica = tagged("header", e.header), m.log.author, m.log.replica
        self.sequence, self.kind, self.parents, self.marks, self.names = m.sequence, m.kind, [], {}, {}
        assert m.conversation == conversation and tagged("body", e.body) == m.body_hash
        assert verifies(m.log.author.hex(), e.signature, self.id)
        b = PB["CreateBody" if m.kind == 7 else "MembersBody"].FromString(e.body)
        ids = [p.id for p in b.members]
        self.ok = len(e.body) <= 98_304 and all(len(i) == 32 for i in ids) and len(set(ids)) == len(ids)
        if m.kind == 7:
            self.action, self.title = "create", b.title
            self.ok &= is_title(b.title) and len(ids) < 256 and len(b.nonce) == 16
            self.ok &= tagged("group", m.log.author + e.body) == conversation
        else:
            self.action = {1: "add", 2: "remove", 3: "leave", 4: "appoint", 5: "dismiss"}.get(b.action)
            self.parents = list(b.after)
            self.ok &= self.action is not None and len(ids) <= 256 and (not ids) == (self.action == "leave")
            self.ok &= len(b.after) <= 512 and all(len(i) == 32 for i in b.after) and len(b.marks) <= 1024
            for mark in b.marks:
                self.ok &= len(mark.log.author) == 32 and len(mark.log.replica) == 16 and mark.sequence <= 2**53 - 1
                self.marks[mark.log.author, mark.log.replica] = mark.sequence
            if self.action == "leave":
                ids = [self.author]
                own = (self.author, self.replica)
                self.marks[own] = max(self.marks.get(own, 0), self.sequence)
        self.subjects = ids
        self.names = {p.id: p.name for p in b.members}


def can_count(c, seen, held):
    """Groups.md, "What is held": somebody has said to the author that it may, whether or not that counts."""
    seen = [held[i] for i in seen]
    creator = any(e.action == "create" and e.author == c.author for e in seen)
    named = creator or any(e.action in ("create", "add") and c.author in e.subjects for e in seen)
    appointed = creator or any(e.action == "appoint" and c.author in e.subjects for e in seen)
    return c.action == "create" or named and (c.action == "leave" or appointed)


def evaluate(changes):
    """Groups.md, "Evaluation": who has gained and lost what, which events count, and in which order they stand."""
    held = {c.id: c for c in changes}
    ancestors, depth, idle = {}, {}, set()
    moved = True
    while moved:  # what lacks a parent waits
        moved = False
        for c in changes:
            if c.id not in ancestors and c.id not in idle and all(p in ancestors for p in c.parents):
                seen = set(c.parents).union(*[ancestors[p] for p in c.parents])
                if not can_count(c, seen, held):
                    idle.add(c.id)
                    continue
                ancestors[c.id] = seen
                depth[c.id] = max([depth[p] + 1 for p in c.parents], default=0)
                moved = True
    order = sorted(ancestors, key=lambda i: (depth[i], i))
    creations = [i for i in order if held[i].action == "create"]
    gains, losses, counts, judged, admins, names = {}, {}, set(), set(), [], {}

    def stands(gain, loss):
        return loss in ancestors[gain]

    def holds(who, what):
        lost = losses.get((who, what), [])
        return any(all(stands(g, l) for l in lost) for g in gains.get((who, what), []))

    def may(c, what):
        seen = [g for g in gains.get((c.author, what), []) if g in ancestors[c.id]]
        lost = [l for l in losses.get((c.author, what), []) if c.id not in ancestors[l]]
        one = any(all(stands(g, l) for l in lost) for g in seen)
        return one and (what == "member" or may(c, "member"))

    def give(c, who, what):
        if what == "member":
            if sum(holds(p, "member") for p in {p for p, w in gains if w == "member"}) >= 256:
                return
            if c.names.get(who):
                names[who] = c.names[who]
        gains.setdefault((who, what), []).append(c.id)
        if what == "admin" and who not in admins:
            admins.append(who)

    def judge(i):
        if i in judged:
            return
        for other in order:
            if other in ancestors[i] and other not in judged:
                judge_alone(other)
        judge_alone(i)

    def judge_alone(i):
        judged.add(i)
        c = held[i]
        if c.action == "create":
            give(c, c.author, "member")
            give(c, c.author, "admin")
        elif not may(c, "member" if c.action == "leave" else "admin"):
            return
        counts.add(i)
        for who in c.subjects:
            if c.action in ("create", "add"):
                give(c, who, "member")
            if c.action == "appoint":
                give(c, who, "admin")
            if c.action in ("remove", "leave", "dismiss"):
                losses.setdefault((who, "admin"), []).append(i)
            if c.action in ("remove", "leave"):
                losses.setdefault((who, "member"), []).append(i)

    for i in creations:
        judge(i)
    turn = 0
    while turn < len(admins):
        for i in order:
            if held[i].author == admins[turn]:
                judge(i)
        turn += 1
    for i in order:
        judge(i)
    ever = {p for p, w in gains if w == "member"}
    members = sorted(p for p in ever if holds(p, "member"))
    # those of events that wait are not among them
    writers = ever.union(*[held[i].subjects for i in order if held[i].author in ever])
    return dict(
        members=members, admins=[p for p in members if holds(p, "admin")], counts=counts, order=order,
        idle=idle, gains=gains, losses=losses, ancestors=ancestors, names=names, writers=sorted(writers),
        title=held[creations[0]].title if creations else "")


def membership(v):
    changes = [Change(h(e), h(v["conversation"])) for e in v["events"]]
    found = evaluate([c for c in changes if c.ok])
    taken = [c for c in changes if c.ok and c.id not in found["idle"]]
    said = lambda name: [h(i) for i in v[name]]
    assert [c.id for c in taken] == said("taken")
    assert (found["members"], found["admins"]) == (said("members"), said("admins"))
    assert sorted(found["counts"]) == said("counting") and found["writers"] == said("writers")
    seen = set().union(*[found["ancestors"][i] for i in found["counts"]])
    assert sorted(found["counts"] - seen) == said("last")
    assert found["title"] == v["title"] and {p.hex(): n for p, n in found["names"].items()} == v["names"]
    assert tagged("membership", b"".join(sorted(c.id for c in taken)))[:8].hex() == v["hash"]
    for r in v["rights"]:
        assert right(r, found, {c.id: c for c in taken}) == r["allowed"], r


CHARTER_ACTIONS = {4: "appoint", 5: "dismiss", 6: "exclude", 7: "readmit", 8: "admit", 9: "rotate", 10: "policy", 11: "link"}


class CharterChange:
    """An event of a charter by itself (charter.md, "Events"); `ok` says whether it keeps the rules."""

    def __init__(self, data, charter):
        e = PB["Event"].FromString(data)
        m = PB["EventHeader"].FromString(e.header)
        self.data, self.id, self.author, self.time = data, tagged("header", e.header), m.log.author, m.time >> 16
        self.parents, self.people, self.said = [], [], {}
        assert m.conversation == charter and tagged("body", e.body) == m.body_hash
        assert verifies(m.log.author.hex(), e.signature, self.id)
        b = PB["CreateBody" if m.kind == 7 else "MembersBody"].FromString(e.body)
        self.ok = len(e.body) <= 8_192 and len(e.header) <= 512 and not m.dependencies and not m.HasField("target")
        if m.kind == 7:
            self.action, self.said = "create", {"title": b.title}
            self.ok &= is_title(b.title) and not b.members and len(b.nonce) == 16
            self.ok &= tagged("charter", m.log.author + e.body) == charter
            return
        self.action, self.parents, self.people = CHARTER_ACTIONS.get(b.action), list(b.after), [p.id for p in b.members]
        notes = self.action in ("rotate", "policy", "link")
        self.ok &= self.action is not None and len(self.people) <= 64 and len(b.after) <= 64 and (not self.people) == notes
        self.ok &= all(len(i) == 32 for i in self.people + self.parents) and len(set(self.people)) == len(self.people)
        if self.action == "rotate":
            d = PB["CharterDetails"].FromString(b.charter)
            self.ok &= 1 <= d.number <= 2**53 - 1 and len(d.key_hash) == 32
            self.said = {"number": d.number, "key": base32(d.key_hash), "automatic": d.automatic}
        if self.action == "policy":
            d = PB["CharterDetails"].FromString(b.charter)
            self.ok &= is_policy_name(d.name)
            self.ok &= len(d.value.encode()) <= 256 and all(unicodedata.category(c) != "Cc" for c in d.value)
            self.said = {"name": d.name, "value": d.value}
        if self.action == "admit":
            self.said = admission_said(b.charter)


def is_policy_name(name):
    return 1 <= len(name) <= 64 and set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")


def admission_said(details):
    """What an admission says of an invitation (charter.md, "Events"); what does not decode says nothing."""
    try:
        d = PB["CharterDetails"].FromString(details)
    except Exception:
        return {}
    if not is_policy_name(d.name) or not d.name.startswith("invite_"):
        return {}
    return {"name": d.name, "automatic": d.automatic}


def evaluate_charter(changes):
    """Charter.md, "Evaluation", without the limits."""
    held, seen, depth, idle = {c.id: c for c in changes}, {}, {}, set()
    moved = True
    while moved:
        moved = False
        for c in changes:
            if c.id in seen or c.id in idle or not all(p in seen for p in c.parents):
                continue
            past = set(c.parents).union(*[seen[p] for p in c.parents])
            named = any(held[p].author == c.author if held[p].action == "create"
                        else held[p].action == "appoint" and c.author in held[p].people for p in past)
            if c.action != "create" and not named:
                idle.add(c.id)
                continue
            seen[c.id], depth[c.id], moved = past, max([depth[p] + 1 for p in c.parents], default=0), True
    order = sorted(seen, key=lambda i: (depth[i], i))
    rights, exclusions, ends, admissions = {}, {}, {}, set()  # of each person: what gives and takes what
    counts, judged, seniority, named, spared = set(), set(), [], {}, {}

    def excluded(who, event=None):
        """Whether exclusions stand, at the end or at an event: the author of that one need not have seen them."""
        standing = [x for x in exclusions.get(who, []) if event is None or event not in seen[x]]
        lifts = [r for r in ends.get(who, []) if event is None or r in seen[event]]
        return standing != [] and not any(all(x in seen[r] for x in standing) for r in lifts)

    def admin(who, event=None):
        given, taken = rights.get(who, ([], []))
        taken = [t for t in taken if event is None or event not in seen[t]]
        given = [g for g in given if event is None or g in seen[event]]
        return any(all(t in seen[g] for t in taken) for g in given) and not excluded(who, event)

    def shielded(who, author):
        return who != author and admin(who) and (author not in seniority or seniority.index(who) < seniority.index(author))

    def judge(i):
        if i in judged:
            return
        judged.add(i)
        c = held[i]
        if c.action != "create" and not admin(c.author, i):
            return
        touched = c.people if c.action not in ("exclude", "dismiss") else [p for p in c.people if not shielded(p, c.author)]
        spared[i] = [p for p in c.people if p not in touched]
        if c.action in ("exclude", "dismiss") and not touched:
            return
        counts.add(i)
        if c.action == "rotate":
            named.setdefault(c.said["key"], []).append(i)
        for who in [c.author] if c.action == "create" else touched:
            given, taken = rights.setdefault(who, ([], []))
            if c.action in ("create", "appoint"):
                given.append(i)
                if who not in seniority:
                    seniority.append(who)
            if c.action in ("create", "readmit"):
                ends.setdefault(who, []).append(i)
            if c.action in ("create", "appoint", "admit", "readmit"):
                admissions.add(who)
            if c.action in ("exclude", "dismiss"):
                taken.append(i)
            if c.action == "exclude":
                exclusions.setdefault(who, []).append(i)

    def visit(i):
        if i not in judged:
            for j in [j for j in order if j in seen[i]] + [i]:
                judge(j)

    for i in order:
        if held[i].action == "create":
            visit(i)
    turn = 0
    while turn < len(seniority):
        for i in order:
            if held[i].author == seniority[turn]:
                visit(i)
        turn += 1
    for i in order:
        visit(i)
    for same in named.values():  # one rotation of each key is left; the others are copies
        first = [i for i in same if not seen[i] & set(same)]
        counts -= set(same) - {min(first, key=lambda i: (seniority.index(held[i].author), order.index(i)))}
    said = [held[i] for i in order if i in counts]
    rotations = [c for c in said if c.action == "rotate"]
    policies = {c.said["name"]: c.said["value"] for c in said if c.action == "policy"}
    out = sorted(p for p in exclusions if excluded(p))
    newest = named[rotations[-1].said["key"]] if rotations else []
    exposed = [p for p in out if any(x not in seen[i] for i in newest for x in exclusions[p])]
    return dict(
        order=order, counts=counts, idle=idle, seen=seen, spared=spared, admins=[p for p in seniority if admin(p)], excluded=out, exposed=exposed,
        admitted=sorted(p for p in admissions if not excluded(p)), keys=[c.said["key"] for c in rotations],
        policies={n: v for n, v in policies.items() if v}, title=said[0].said["title"] if said else "")


def charter_log(charter, found, held):
    """Charter.md, "Audit log"."""
    lines, last = [], b""
    rows = [{"log": "parlance-charter-1", "charter": base32(charter)}]
    for number, c in enumerate([held[i] for i in found["order"]], 1):
        row = {"line": number, "id": base32(c.id), "author": whole_id(c.author), "time": c.time, "action": c.action, **c.said}
        if c.people:
            row["people"] = [whole_id(p) for p in c.people]
        if found["spared"].get(c.id):
            row["spared"] = [whole_id(p) for p in found["spared"][c.id]]
        rows.append(row | {"counts": c.id in found["counts"], "event": c.data.hex()})
    for row in rows:
        text = json.dumps(row, separators=(",", ":"))[:-1]
        last = tagged("charter_log", last + text.encode())
        lines.append(f'{text},"hash":"{last.hex()}"}}')
    return lines


def charter(v):
    changes = [CharterChange(h(e), h(v["charter"])) for e in v["events"]]
    assert evaluated_charter(h(v["charter"]), changes) == {n: v[n] for n in v if n not in ("name", "charter", "events")}


def evaluated_charter(charter, changes):
    """What a vector says beside its events."""
    found = evaluate_charter([c for c in changes if c.ok])
    taken = [c for c in changes if c.ok and c.id not in found["idle"]]
    seen = set().union(*[found["seen"][i] for i in found["counts"]])
    texts = lambda ids: [i.hex() for i in ids]
    return dict(
        taken=texts(c.id for c in taken), admins=texts(found["admins"]), excluded=texts(found["excluded"]),
        admitted=texts(found["admitted"]), order=texts(found["order"]), counting=texts(sorted(found["counts"])),
        last=texts(sorted(found["counts"] - seen)), title=found["title"], policies=found["policies"],
        keys=[base64.b32decode(k.upper() + "====").hex() for k in found["keys"]], exposed=texts(found["exposed"]),
        admission="open" if found["policies"].get("admission", "open") == "open" else "approve",
        hash=tagged("membership", b"".join(sorted(c.id for c in taken)))[:8].hex(),
        log=charter_log(charter, found, {c.id: c for c in taken}))


def invitation_code(v):
    data, size = h(v["key"]) + h(v.get("charter", "")), 9 if "charter" in v else 8
    if "invitation" in v:
        data += b"\x01" + h(v["invitation"])
        seed = tagged("invitation", h(v["charter"]) + h(v["invitation"]))
        key = Ed25519PrivateKey.from_private_bytes(seed)
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        proof = public + key.sign(bytes([TAGS["invitation_proof"]]) + h(v["charter"]) + h(v["peer"]))
        assert v["policy"] == "invite_" + base32(public) and v["proof"] == proof.hex()
    text = base32(data) + check_characters(data)
    assert len(data) in (32, 48, 65) and len(text) % size == 0
    groups = [text[i : i + size] for i in range(0, len(text), size)]
    assert " ".join(([v["label"]] if v["label"] else []) + groups) == v["text"].strip()


def right(r, found, held):
    """Groups.md, "Rights of what is written"."""
    who, log = h(r["author"]), (h(r["author"]), h(r["replica"]))
    named = {(h(n["author"]), h(n["replica"])): int(n["sequence"]) for n in r["named"]}
    gains = found["gains"].get((who, r["capability"]), [])

    def had_seen(gain):
        at = (held[gain].author, held[gain].replica)
        if at == log:
            return held[gain].sequence < int(r["sequence"])
        return named.get(at, 0) >= held[gain].sequence

    lost = [l for l in found["losses"].get((who, r["capability"]), []) if int(r["sequence"]) > held[l].marks.get(log, 0)]
    if not lost:
        return gains != []
    return any(had_seen(g) and all(l in found["ancestors"][g] for l in lost) for g in gains)


def group(v):
    assert len(PB["CreateBody"].FromString(h(v["body"])).nonce) == 16
    found = tagged("group", h(v["creator"]) + h(v["body"]))
    assert found.hex() == v["conversation"] and base32(found) == v["text"]


def branch(v):
    assert tagged("branch", h(v["replica"]) + h(v["first"]))[:16].hex() == v["branch"] != v.get("parent")


def public_key(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def shared(secret, public):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))


def prekeys(v):
    assert public_key(h(v["daily_secret"])).hex() == v["daily"]
    signed_as_said(v, "prekey", [h(v["daily"]), be(v["made"])])
    m = PB["Prekeys"](daily=h(v["daily"]), made=int(v["made"]), signature=h(v["signature"]), one_time=map(h, v["one_time"]))
    assert m.SerializeToString(deterministic=True).hex() == v["prekeys"]


def envelope(v):
    """Made from its fields with the secrets of both sides (couriers.md, "Envelope"); each side gets the same key."""
    names = ("recipient", "prekey", "one_time", "ephemeral")
    recipient, prekey, one_time, ephemeral = (h(v[n]) for n in names)
    pairs = [("prekey_secret", prekey), ("ephemeral_secret", ephemeral)] + [("one_time_secret", one_time)] * bool(one_time)
    assert all(public_key(h(v[secret])) == public for secret, public in pairs)
    author, reader = [], []
    for secret, public in [("prekey_secret", prekey)] + [("one_time_secret", one_time)] * bool(one_time):
        author.append(shared(h(v["ephemeral_secret"]), public))
        reader.append(shared(h(v[secret]), ephemeral))
    assert author == reader
    key = tagged("envelope_key", b"".join(author) + ephemeral + prekey + one_time + recipient)
    said = recipient + prekey + be(v["expires"])
    # XChaCha20-Poly1305: the first 16 bytes of the nonce make the inner key, the other 8 stand behind 4 of zero.
    inner = ChaCha20Poly1305(hchacha20(key, bytes(16)))
    sealed = inner.encrypt(bytes(12), h(v["run"]), said)
    assert key.hex() == v["key"] and sealed.hex() == v["sealed"] and len(sealed) <= 245_760
    run = PB["Events"].FromString(h(v["run"]))
    assert run.events[-1].signature and run.SerializeToString(deterministic=True) == h(v["run"])
    assert tagged("envelope", said + one_time + ephemeral + sealed).hex() == v["id"]
    m = PB["Envelope"](recipient=recipient, prekey=prekey, one_time=one_time, ephemeral=ephemeral,
                       expires=int(v["expires"]), sealed=sealed)
    assert m.SerializeToString(deterministic=True).hex() == v["envelope"]


def taken(v):
    signed_as_said(v, "taken", [h(v["id"])])
    m = PB["Taken"](envelope=h(v["id"]), signature=h(v["signature"]))
    assert m.SerializeToString(deterministic=True).hex() == v["taken"]


def parcel(v):
    """The name, the signature and the state of a file on a stick (carry.md, "File" and "Packing")."""
    address = h(v["author"]) + h(v["recipient"]) + be(v["slot"])
    assert v["file"] == "parlance-" + base32(tagged("parcel_name", address))
    content = PB["ParcelContent"].FromString(h(v["content"]))
    load = PB["ParcelLoad"].FromString(h(v["load"]))
    assert load.SerializeToString(deterministic=True).hex() == v["load"]
    assert content.SerializeToString(deterministic=True).hex() == v["content"]
    own = content.prekeys.SerializeToString(deterministic=True) if content.HasField("prekeys") else b""
    parts = b"".join(be(len(p)) + p for p in (content.replica, own, h(v["key"])))
    private = Ed25519PrivateKey.from_private_bytes(h(v["seed"]))
    signature = private.sign(bytes([TAGS["parcel_load"]]) + parts + h(v["load"]))
    assert tagged("parcel_state", signature) == content.state
    assert not content.envelope.recipient and not content.envelope.one_time
    signed_as_said(v, "parcel", [address, h(v["content"])])
    m = PB["Parcel"](signature=h(v["signature"]), content=h(v["content"]))
    assert m.SerializeToString(deterministic=True).hex() == v["parcel"]


def secretstream(key, header, messages):
    """The sealed messages of a secretstream of libsodium, the last one with its tag "final" (doc.libsodium.org)."""
    key, counter, inner = hchacha20(key, header[:16]), 1, header[16:]
    for place, message in enumerate(messages):
        stream = Cipher(algorithms.ChaCha20(key, bytes(4) + struct.pack("<I", counter) + inner), None).encryptor()
        mac_key = stream.update(bytes(64))[:32]
        block = stream.update(bytes([3 if place == len(messages) - 1 else 0]) + bytes(63))
        sealed = stream.update(message)
        # The tag's block and the message are authenticated; both lengths stand at the end, of the two together in the second.
        mac = Poly1305.generate_tag(mac_key, block + sealed + bytes(-(64 + len(sealed)) % 16) + struct.pack("<2Q", 0, 64 + len(sealed)))
        yield block[:1] + sealed + mac
        inner, counter = bytes(a ^ b for a, b in zip(inner, mac)), counter + 1


def padme(size):
    exponent = size.bit_length() - 1
    step = 1 << (exponent - exponent.bit_length())
    return -(-size // step) * step


def sealed_file(v):
    """A file beside the parcels on a stick (carry.md, "Sealed files" and "Packing files")."""
    data, author, recipient = repeated(h(v["pattern"]), int(v["size"])), h(v["author"]), h(v["recipient"])
    assert file_id(data).hex() == v["id"]
    assert v["name_of_file"] == "parlance-" + base32(tagged("sealed_file_name", author + recipient + be(v["slot"])))
    common = shared(h(v["own_secret"]), h(v["their_key"]))
    secret = tagged("sealed_file_secret", common + public_key(h(v["own_secret"])) + h(v["their_key"]) + author + recipient)
    key = tagged("sealed_file_key", secret + h(v["id"]) + be(v["size"]))
    assert key.hex() == v["key"] and tagged("sealed_file_mark", key).hex() == v["mark"]
    padded = padme(max(65_536, len(data)))
    assert padded == int(v["padded"])
    plain = data + bytes(padded - len(data))
    pieces = secretstream(key, h(v["header"]), [plain[i : i + 65_536] for i in range(0, padded, 65_536)])
    sealed = h(v["mark"]) + h(v["header"]) + b"".join(pieces)
    assert (len(sealed), hashlib.sha256(sealed).hexdigest()) == (int(v["bytes"]), v["sha256"])
    entry = PB["CarriedFile"](file=h(v["id"]), size=int(v["size"]), key=key, slot=int(v["slot"]))
    assert entry.SerializeToString(deterministic=True).hex() == v["entry"]


def sealed_file_shape(v):
    padded = padme(max(65_536, int(v["size"])))
    assert (padded, 56 + padded + 17 * -(-padded // 65_536)) == (int(v["padded"]), int(v["bytes"]))


def addresses(v):
    places = [(h(p["address"]), p["port"]) for p in v["places"]]
    assert 1 <= len(places) <= 8 and all(len(a) in (4, 16) for a, _ in places)
    told = b"".join(bytes([len(a)]) + a + struct.pack(">H", port) for a, port in places)
    signed_as_said(v, "addresses", [h(v["peer"]), be(v["time"]), told])
    m = PB["Addresses.Entry"](peer=h(v["peer"]), time=int(v["time"]), signature=h(v["signature"]))
    for address, port in places:
        m.places.add(address=address, port=port)
    assert m.SerializeToString(deterministic=True).hex() == v["entry"]


def picture(v):
    content = h(v["content"])
    assert 1 <= len(content) <= 65_536
    assert tagged("picture", content).hex() == v["id"]
    signed_as_said(v, "picture_signature", [h(v["peer"]), h(v["id"]), be(v["made"])])
    m = PB["Picture"](content=content, made=int(v["made"]), signature=h(v["signature"]))
    assert m.SerializeToString(deterministic=True).hex() == v["picture"]


def chunk_size(size):
    """Files.md, "Chunks"."""
    found = 65_536
    while -(-size // found) > 2_000:
        found *= 2
    return found


def file_shape(v):
    size = int(v["size"])
    assert (size > 2**40) == ("chunk_size" not in v)
    if size <= 2**40:
        assert (chunk_size(size), -(-size // chunk_size(size))) == (int(v["chunk_size"]), v["chunks"])


def repeated(pattern, size):
    return (pattern * (size // len(pattern) + 1))[:size]


def file_leaves(data):
    step = chunk_size(len(data))
    return [tagged("file_leaf", be(i // step) + data[i : i + step]) for i in range(0, len(data), step)]


def file_id(data):
    return tagged("file_root", be(len(data)) + be(chunk_size(len(data))) + b"".join(file_leaves(data)))


def file(v):
    data = repeated(h(v["pattern"]), int(v["size"]))
    assert file_id(data).hex() == v["id"] and base32(h(v["id"])) == v["text"]
    assert "leaves" not in v or [leaf.hex() for leaf in file_leaves(data)] == v["leaves"]


def chunk_set(v):
    data, total = h(v["bytes"]), v["total"]
    fits = len(data) == (total + 7) // 8 and all(not data[i // 8] >> (7 - i % 8) & 1 for i in range(total, 8 * len(data)))
    assert fits == ("chunks" in v)
    if fits:
        assert [i for i in range(total) if data[i // 8] >> (7 - i % 8) & 1] == v["chunks"]


def ignorable(c):
    """Default_Ignorable_Code_Point, as far as these vectors have it."""
    return unicodedata.category(c) == "Cf" and not 0x600 <= ord(c) <= 0x605 or 0xFE00 <= ord(c) <= 0xFE0F or c == "\u3164"


def file_name(v):
    assert safe_name(h(v["name_bytes"])) == v["safe"] == safe_name(v["safe"].encode())


def safe_name(data):
    """Files.md, "Names", for names whose characters are single code points."""
    kept, flag = "", False
    for c in data.decode(errors="replace").replace("\r\n", "\n"):
        tag = 0xE0020 <= ord(c) <= 0xE007F
        flag = ord(c) == 0x1F3F4 or flag and tag
        joins = c in "\u200c\u200d" and kept[-1:] > "\x7f" and kept[-1] not in "\u200c\u200d"
        if c in "\t\n\v\f\r\x85\u2028\u2029":
            kept += " "
        elif c in '/\\<>:"|?*':
            kept += "_"
        elif flag and tag or joins or not (
                unicodedata.category(c) == "Cc" or ignorable(c) and unicodedata.category(c) == "Cf" or ord(c) & 0xFFFE == 0xFFFE
                or 0xFDD0 <= ord(c) <= 0xFDEF or c in "\ufff9\ufffa\ufffb\u2800\u3164\uffa0"):
            kept += c
    kept = end_trimmed(kept)
    bare = kept.lstrip(".")
    kept = "_" * (len(kept) - len(bare)) + bare
    short = shortened(kept, 255)
    if device(kept) or device(short):
        short = "_" + shortened(kept, 254)
    return short if any(not c.isspace() and not ignorable(c) for c in short) else "file"


def end_trimmed(name):
    while name and (name[-1] == "." or name[-1].isspace()):
        name = name[:-1]
    return name


def extension(name):
    dot = name.rfind(".")
    return name[dot:] if dot > 0 and len(name[dot:].encode()) <= 33 else ""


def shortened(name, limit):
    if len(name.encode()) <= limit:
        return name
    suffix = extension(name)
    stem = name[: len(name) - len(suffix)]
    while len((stem + suffix).encode()) > limit:
        stem = stem[:-1]
    return end_trimmed(stem + suffix)


def device(name):
    stem = end_trimmed(name.split(".")[0]).upper()
    numbered = len(stem) == 4 and stem[:3] in ("COM", "LPT") and stem[3] in "0123456789¹²³"
    return numbered or stem in ("CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$")


def folder(v):
    data = h(v["listing"])
    m = PB["FolderListing"].FromString(data)
    paths = [e.path.encode() for e in m.entries]
    fits = all(a < b for a, b in zip(paths, paths[1:])) and all(len(e.file) == 32 for e in m.entries)
    empty = [f.encode() for f in m.folders]
    fits = fits and all(a < b for a, b in zip(empty, empty[1:]))
    fits = fits and not any(p == f or p.startswith(f + b"/") for f in empty for p in paths + empty if p is not f)
    made = {p[:i] for p in paths + [f + b"/" for f in empty] for i, c in enumerate(p) if c == ord("/")}
    fits = fits and len(empty) <= 10_000 and len(made) <= 10_000
    paths = paths + empty
    names = [n for p in paths for n in p.split(b"/")]
    fits = fits and not {b"", b".", b".."} & set(names) and all(p.count(b"/") < 32 and len(p) <= 1_024 for p in paths)
    fits = fits and sum(e.size for e in m.entries) <= 2**40
    assert fits == ("entries" in v)
    if not fits:
        return
    assert m.SerializeToString(deterministic=True) == data and file_id(data).hex() == v["id"]
    assert [(e.path, e.size, e.file.hex()) for e in m.entries] == [(e["path"], int(e["size"]), e["file"]) for e in v["entries"]]
    folders = v.get("folders", [])
    assert list(m.folders) == [f["path"] for f in folders]
    assert places([e.path for e in m.entries] + list(m.folders)) == [e["place"] for e in v["entries"] + folders]


def packed_folder(v):
    data = h(v["packed"])
    length = int.from_bytes(data[:4], "big")
    if "files" not in v:
        return
    m = PB["FolderListing"].FromString(data[4 : 4 + length])
    rest, found = data[4 + length :], []
    for e in m.entries:
        content, rest = rest[: e.size], rest[e.size :]
        assert file_id(content) == e.file
        found.append({"path": e.path, "content": content.hex()})
    assert rest == b"" and found == v["files"] and file_id(data).hex() == v["id"]


def same(name):
    return unicodedata.normalize("NFC", name.upper().lower())


def places(paths):
    taken, folders, found = {}, {}, []

    def add(inside, name):
        safe, number = safe_name(name.encode()), 2
        suffix, made = extension(safe), safe
        while same(made) in taken.setdefault(inside, set()):
            room = 255 - len(suffix.encode()) - 8
            stem = safe[: len(safe) - len(suffix)].encode()[:room].decode(errors="ignore")
            made, number = f"{stem} ({number}){suffix}", number + 1
        taken[inside].add(same(made))
        return made

    for path in paths:
        *way, name = path.split("/")
        inside = made = ""
        for part in way:
            if (inside, part) not in folders:
                folders[inside, part] = made + add(inside, part) + "/"
            inside, made = inside + part + "/", folders[inside, part]
        found.append(made + add(inside, name))
    return found


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
    "contact-answer": contact_answer, "safety-number": safety_number, "identity-file": identity_file, "header": header, "header-refused": nothing, "body": body,
    "head-signature": head_signature, "clock": clock, "run": run, "watermark": watermark,
    "effective-time": effective_time, "frame": frame, "stream": stream, "frame-ignored": frame_ignored,
    "frame-refused": nothing, "group": group, "membership": membership, "branch": branch,
    "prekeys": prekeys, "envelope": envelope, "taken": taken, "parcel": parcel, "addresses": addresses, "picture": picture,
    "sealed-file": sealed_file, "sealed-file-shape": sealed_file_shape,
    "file-shape": file_shape, "file": file, "chunk-set": chunk_set, "file-name": file_name, "folder": folder,
    "packed-folder": packed_folder, "charter": charter, "invitation-code": invitation_code,
}


def main():
    for folder in ["identity", "events", "couriers", "workspaces", "files", "frames"]:
        for path in sorted((HERE / folder).glob("*.json")):
            contents = json.loads(path.read_text())
            for vector in contents["vectors"]:
                try:
                    CHECKS[contents["kind"]](vector)
                except Exception as error:
                    raise SystemExit(f"{path.name}: {vector['name']}: {error!r}")
            print(f"{folder}/{path.name}: {len(contents['vectors'])} vectors agree")


if __name__ == "__main__":
    main()
