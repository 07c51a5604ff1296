import Foundation
import ParlanceRandom
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct SafeTensorsTests {
    private static let header = """
        {"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},\
        "b":{"dtype":"I64","shape":[1],"data_offsets":[16,24]}}
        """
    private static let numbers: [Float] = [1, -2, 0.5, 4]

    static func file(_ header: String, _ data: [UInt8] = []) -> [UInt8] {
        let header = Array(header.utf8)
        return withUnsafeBytes(of: UInt64(header.count).littleEndian, Array.init) + header + data
    }

    private static var good: [UInt8] {
        file(header, numbers.withUnsafeBytes(Array.init) + [UInt8](repeating: 0, count: 8))
    }

    @Test func itReadsTensors() throws {
        let tensors = try SafeTensors(reading: Self.good)
        let tensor = try tensors.tensor("a", shape: [2, 2])
        #expect(try tensors.floats(of: tensor, in: 0..<4) == Self.numbers)
        #expect(try tensors.floats(of: tensor, in: 1..<3) == [-2, 0.5])
        #expect(tensors.tensors.count == 2)
    }

    @Test func itNamesTheTensorThatIsWrong() throws {
        let tensors = try SafeTensors(reading: Self.good)
        #expect(throws: ModelError.missingTensor(name: "c")) { try tensors.tensor("c", shape: [1]) }
        #expect(throws: ModelError.wrongType(name: "b", found: "I64")) { try tensors.tensor("b", shape: [1]) }
        #expect(throws: ModelError.wrongShape(name: "a", expected: [4], found: [2, 2])) {
            try tensors.tensor("a", shape: [4])
        }
    }

    @Test(arguments: [
        ("{", "no JSON of tensors"),
        ("[]", "no JSON of tensors"),
        (#"{"a":{"dtype":"F32","shape":[1]}}"#, "no JSON of tensors"),
        (#"{"a":{"dtype":"F32","shape":[1e30],"data_offsets":[0,4]}}"#, "no JSON of tensors"),
        (#"{"a":{"dtype":"X9","shape":[1],"data_offsets":[0,4]}}"#, "the type of a is unknown"),
        (#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#, "the shape of a is impossible"),
        (
            #"{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#,
            "the shape of a is impossible"
        ),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}"#, "the length of a does not fit its shape"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#, "a lies outside of the file"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}"#, "a lies outside of the file"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}}"#, "a lies outside of the file"),
        (#"{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}"#, "a lies outside of the file"),
        (
            #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,9223372036854775807]}}"#,
            "a lies outside of the file"
        ),
    ])
    func itRefusesABrokenHeader(header: String, reason: String) {
        #expect(throws: ModelError.malformedHeader(reason: reason)) {
            try SafeTensors(reading: Self.file(header, [UInt8](repeating: 0, count: 8)))
        }
    }

    @Test func itRefusesAHeaderThatIsTooLong() {
        #expect(throws: ModelError.malformedHeader(reason: "longer than 1 MiB")) {
            try SafeTensors(reading: [UInt8](repeating: 0xFF, count: 8))
        }
        #expect(throws: ModelError.truncated) { try SafeTensors(reading: [0xFF, 0, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: ModelError.truncated) { try SafeTensors(reading: [1, 2, 3]) }
    }

    @Test func changedBytesDoNoHarm() {
        var random = SplitMix.printingSeed()
        for _ in 0..<500 {
            var bytes = Self.good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = random.bytes(1)[0]
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            // Any typed error will do.
            guard let tensors = try? SafeTensors(reading: bytes) else { continue }
            for tensor in tensors.tensors.values { #expect(tensor.bytes.upperBound <= bytes.count) }
        }
    }
}
