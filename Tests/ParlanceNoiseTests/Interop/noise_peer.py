"""One side of a Noise handshake, by PyPI's noiseprotocol, for the interoperation test.

Arguments: role (initiator or responder), protocol name, prologue, static private key, ephemeral private
key, pre-shared key (all hexadecimal; "-" for no pre-shared key).

It then answers requests until standard input ends. A request is a 4-byte big-endian length and that many
bytes: one letter and its data. A reply has the same form: 0 and the result, or 1 and the error's text.
  W payload  write the next handshake message      R message  read it, giving the payload
  E text     seal a record                         D record   open it
  H          the handshake hash                    S          the other side's static public key
  K          rekey both directions
"""
import signal
import struct
import sys
import warnings

TIME_LIMIT_SECONDS = 30


def connect(role, name, prologue, static, ephemeral, psk):
    from noise.connection import Keypair, NoiseConnection

    # Fixed ephemeral keys make the run repeatable; the library warns about them.
    warnings.simplefilter("ignore")
    noise = NoiseConnection.from_name(name.encode())
    noise.set_as_initiator() if role == "initiator" else noise.set_as_responder()
    noise.set_prologue(bytes.fromhex(prologue))
    noise.set_keypair_from_private_bytes(Keypair.STATIC, bytes.fromhex(static))
    noise.set_keypair_from_private_bytes(Keypair.EPHEMERAL, bytes.fromhex(ephemeral))
    if psk != "-":
        noise.set_psks(psk=bytes.fromhex(psk))
    noise.start_handshake()
    return noise


class Peer:
    def __init__(self, noise):
        self.noise = noise
        self.remote_static = b""

    def answer(self, operation, data):
        if operation == b"W":
            return self.noise.write_message(data)
        if operation == b"R":
            handshake = self.noise.noise_protocol.handshake_state
            payload = self.noise.read_message(data)
            # The library forgets the key when the handshake ends, so keep it as soon as it is there.
            self.remote_static = getattr(handshake.rs, "public_bytes", self.remote_static)
            return payload
        if operation == b"E":
            return self.noise.encrypt(data)
        if operation == b"D":
            return self.noise.decrypt(data)
        if operation == b"H":
            return self.noise.get_handshake_hash()
        if operation == b"S":
            return self.remote_static
        if operation == b"K":
            self.noise.rekey_inbound_cipher()
            self.noise.rekey_outbound_cipher()
            return b""
        raise ValueError(f"unknown operation {operation!r}")


def main():
    signal.alarm(TIME_LIMIT_SECONDS)
    peer = Peer(connect(*sys.argv[1:7]))
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while len(header := source.read(4)) == 4:
        request = source.read(struct.unpack(">I", header)[0])
        try:
            reply = b"\0" + bytes(peer.answer(request[:1], request[1:]))
        except Exception as error:
            reply = b"\1" + repr(error).encode()
        sink.write(struct.pack(">I", len(reply)) + reply)
        sink.flush()


main()
