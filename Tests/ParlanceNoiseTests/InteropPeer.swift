import Foundation
import ParlanceNoise

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The independent implementation: a Python process that uses PyPI's `noiseprotocol`.
/// `Interop/noise_peer.py` describes the requests. Nothing waits longer than `timeLimit`; the script ends itself a
/// little later if this process is gone.
final class InteropPeer {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let timeLimit = Duration.seconds(20)

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private let deadline = ContinuousClock.now + timeLimit

    /// Starts the peer; the keys are in hexadecimal.
    init(
        role: NoiseRole,
        pattern: NoisePattern,
        prologue: [UInt8],
        staticKey: String,
        ephemeralKey: String,
        psk: String
    )
        throws
    {
        // A peer that has died must cause an error of `write`, and not end the test run.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = try Self.interpreter()
        process.arguments = [
            Repository.root.appending(path: "Tests/ParlanceNoiseTests/Interop/noise_peer.py").path,
            role == .initiator ? "initiator" : "responder",
            pattern.protocolName, text(prologue), staticKey, ephemeralKey, psk,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// Sends a request and returns its result; throws the peer's error if the peer refuses.
    func request(_ operation: Character, _ data: [UInt8] = []) throws -> [UInt8] {
        let body = Array(String(operation).utf8) + data
        try input.fileHandleForWriting.write(contentsOf: Data(bigEndian(body.count) + body))
        let header = try read(4)
        let reply = try read(header.reduce(0) { $0 << 8 | Int($1) })
        guard reply.first == 0 else {
            throw Failure(description: "the peer refused: \(String(decoding: reply.dropFirst(), as: UTF8.self))")
        }
        return Array(reply.dropFirst())
    }

    /// Ends the process, whatever it is doing.
    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Reads exactly `count` bytes, or throws at the deadline or at the peer's end.
    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let descriptor = output.fileHandleForReading.fileDescriptor
        while bytes.count < count {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw Failure(description: "no answer from the peer within \(Self.timeLimit)") }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { continue }
            guard let chunk = try output.fileHandleForReading.read(upToCount: count - bytes.count), !chunk.isEmpty
            else {
                stop()
                let said = try errors.fileHandleForReading.readToEnd() ?? Data()
                throw Failure(description: "the peer ended: \(String(decoding: said, as: UTF8.self))")
            }
            bytes += chunk
        }
        return bytes
    }

    private func bigEndian(_ count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) }
    }

    /// The Python that has `noiseprotocol`. Without it the test fails: a skipped test would prove nothing.
    private static func interpreter() throws -> URL {
        let path =
            ProcessInfo.processInfo.environment["PARLANCE_INTEROP_PYTHON"]
            ?? Repository.root.appending(path: ".build/interop-venv/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(
                description: "There is no Python with noiseprotocol at \(path). Run contrib/setup, which makes it, "
                    + "or set PARLANCE_INTEROP_PYTHON to a Python that has noiseprotocol 0.3.1."
            )
        }
        return URL(fileURLWithPath: path)
    }
}
