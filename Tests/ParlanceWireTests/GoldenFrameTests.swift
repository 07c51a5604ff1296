import Foundation
import ParlanceWire
import SwiftProtobuf
import Testing

/// Frames of the golden files: bytes to fields and back to the same bytes.
@Suite struct GoldenFrameTests {
    struct Frame: Decodable, Sendable, CustomTestStringConvertible {
        var name, wire: String
        var fields: [String: JSONValue]
        var testDescription: String { name }
    }

    struct Bytes: Decodable, Sendable, CustomTestStringConvertible {
        var name, frame: String
        var testDescription: String { name }
    }

    struct Stream: Decodable, Sendable, CustomTestStringConvertible {
        var name, stream, end: String
        var frames: [String]
        var testDescription: String { name }
    }

    @Test(arguments: try GoldenFiles.vectors("frame", as: Frame.self)) func frame(_ vector: Frame) throws {
        let wire = try hex(vector.wire)
        var splitter = FrameSplitter()
        splitter.append(wire)
        let bytes = try #require(try splitter.next())
        #expect(splitter.bufferedCount == 0)
        let frame = try #require(WireFrame(decoding: bytes))
        let fields = String(decoding: try JSONEncoder().encode(vector.fields), as: UTF8.self)
        #expect(try frame == WireFrame(jsonString: fields))
        #expect(frame.kind != nil)
        #expect(FrameSplitter.frame(frame.encodedBytes()) == wire)
    }

    /// A frame that is cut off anywhere is either invalid or another frame: it is never the same frame, and never
    /// causes a trap.
    @Test(arguments: try GoldenFiles.vectors("frame", as: Frame.self)) func cutOff(_ vector: Frame) throws {
        let wire = try hex(vector.wire)
        var splitter = FrameSplitter()
        splitter.append(wire.dropLast())
        #expect(try splitter.next() == nil, "a frame that is not whole is not given out")
        splitter.append(wire.suffix(1))
        let bytes = try #require(try splitter.next())
        let whole = try #require(WireFrame(decoding: bytes))
        for count in 0..<bytes.count {
            if let other = WireFrame(decoding: Array(bytes.prefix(count))) {
                #expect(other != whole, "cut to \(count) bytes")
            }
        }
    }

    @Test(arguments: try GoldenFiles.vectors("frame-refused", as: Bytes.self)) func refused(_ vector: Bytes) throws {
        #expect(WireFrame(decoding: try hex(vector.frame)) == nil)
    }

    @Test(arguments: try GoldenFiles.vectors("frame-ignored", as: Bytes.self)) func ignored(_ vector: Bytes) throws {
        let bytes = try hex(vector.frame)
        let frame = try #require(WireFrame(decoding: bytes))
        #expect(frame.kind == nil)
        #expect(frame.encodedBytes() == bytes, "what is not known is kept")
    }

    @Test(arguments: try GoldenFiles.vectors("stream", as: Stream.self)) func stream(_ vector: Stream) throws {
        let bytes = try hex(vector.stream)
        for piece in [1, max(1, bytes.count)] {
            #expect(try outcome(of: bytes, in: piece) == Outcome(frames: vector.frames.map(hex), end: vector.end))
        }
    }

    private struct Outcome: Equatable {
        var frames: [[UInt8]] = []
        var end = ""
    }

    private func outcome(of bytes: [UInt8], in piece: Int) throws -> Outcome {
        var splitter = FrameSplitter()
        var outcome = Outcome()
        do throws(WireError) {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                splitter.append(bytes[start..<min(bytes.count, start + piece)])
                while let frame = try splitter.next() { outcome.frames.append(frame) }
            }
            outcome.end = splitter.bufferedCount == 0 ? "whole" : "waiting"
        } catch {
            outcome.end = error == .emptyFrame ? "empty" : "too large"
        }
        return outcome
    }

    @Test func everyKindOfFrameHasAVector() throws {
        let names = WireFrame.Kinds.all.subtracting(
            try GoldenFiles.vectors("frame", as: Frame.self).flatMap(\.fields.keys)
        )
        #expect(names.isEmpty, "without a vector: \(names.sorted())")
    }
}

extension WireFrame {
    /// The names of the kinds, as the .proto file and protobuf's JSON mapping have them.
    enum Kinds {
        static let all: Set = [
            "hello", "heartbeat", "typing", "summary", "clock", "events", "have", "watermarks", "refuse",
            "contactRequest", "contactAnswer", "bye", "invite", "want", "bodiesWanted", "bodies", "fork",
            "workspaceKey", "prekeys", "deposit", "deposited", "handOver", "taken", "dialBack", "dialedBack",
            "addresses",
        ]
    }
}

/// Any JSON, handed on unchanged.
enum JSONValue: Codable, Sendable {
    case object([String: JSONValue])
    case array([JSONValue])
    case text(String)
    case number(Double)
    case truth(Bool)

    init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .truth(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .truth(let value): try container.encode(value)
        }
    }
}
