import FoundationEssentials

/// A file of named tensors in the format safetensors (https://huggingface.co/docs/safetensors): the length of a header
/// in 8 bytes, the header as JSON, then the numbers. Only the header is read at once.
struct SafeTensors<Source: RandomAccess> {
    struct Tensor {
        let type: String
        let shape: [Int]
        /// Where the numbers lie, from the start of the file.
        let bytes: Range<Int>
    }

    let tensors: [String: Tensor]
    private let source: Source

    /// Reads the header and checks that every tensor lies within the file and is as long as its shape says.
    /// Throws `malformedHeader`, `truncated` or an error of the source.
    init(reading source: Source) throws(ModelError) {
        let length = try source.bytes(at: 0, count: 8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(SafeTensorsHeader.largest) else { throw .malformedHeader(reason: "longer than 1 MiB") }
        let start = 8 + Int(length)
        let header = try source.bytes(at: 8, count: Int(length))
        let entries: [String: SafeTensorsHeader.Entry]
        do {
            entries = try JSONDecoder().decode(SafeTensorsHeader.self, from: Data(header)).entries
        } catch {
            throw .malformedHeader(reason: "no JSON of tensors")
        }
        var tensors: [String: Tensor] = [:]
        for (name, entry) in entries {
            tensors[name] = try Self.tensor(name, entry, start: start, end: source.byteCount)
        }
        self.tensors = tensors
        self.source = source
    }

    private static func tensor(
        _ name: String,
        _ entry: SafeTensorsHeader.Entry,
        start: Int,
        end: Int
    ) throws(ModelError) -> Tensor {
        guard let width = SafeTensorsHeader.widths[entry.dtype] else {
            throw .malformedHeader(reason: "the type of \(name) is unknown")
        }
        var byteCount = width
        for size in entry.shape {
            let (product, isTooLarge) = byteCount.multipliedReportingOverflow(by: size)
            guard size >= 0, !isTooLarge else { throw .malformedHeader(reason: "the shape of \(name) is impossible") }
            byteCount = product
        }
        guard entry.offsets.count == 2, entry.offsets[0] >= 0, entry.offsets[0] <= entry.offsets[1],
            entry.offsets[1] <= end - start
        else { throw .malformedHeader(reason: "\(name) lies outside of the file") }
        guard entry.offsets[1] - entry.offsets[0] == byteCount else {
            throw .malformedHeader(reason: "the length of \(name) does not fit its shape")
        }
        return Tensor(
            type: entry.dtype,
            shape: entry.shape,
            bytes: start + entry.offsets[0]..<start + entry.offsets[1]
        )
    }

    /// The tensor, if it is one of Float32 with this shape.
    /// Throws `missingTensor`, `wrongType` or `wrongShape`.
    func tensor(_ name: String, shape: [Int]) throws(ModelError) -> Tensor {
        guard let tensor = tensors[name] else { throw .missingTensor(name: name) }
        guard tensor.type == "F32" else { throw .wrongType(name: name, found: tensor.type) }
        guard tensor.shape == shape else { throw .wrongShape(name: name, expected: shape, found: tensor.shape) }
        return tensor
    }

    /// Numbers of a tensor of Float32, of which `indices` must be a part. A float of this machine is one of the file:
    /// both are little-endian.
    func floats(of tensor: Tensor, in indices: Range<Int>) throws(ModelError) -> [Float] {
        var floats = [Float](repeating: 0, count: indices.count)
        try floats.fill { buffer throws(ModelError) in
            try source.read(at: tensor.bytes.lowerBound + indices.lowerBound * MemoryLayout<Float>.size, into: buffer)
        }
        return floats
    }
}

/// The header of a safetensors file, as JSON has it.
struct SafeTensorsHeader: Decodable {
    /// The header of this model has 11 KB.
    static let largest = 1 << 20

    /// How many bytes a number of each type takes.
    static let widths = [
        "BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "I64": 8,
        "U64": 8, "F64": 8,
    ]

    struct Entry: Decodable {
        let dtype: String
        let shape: [Int]
        let offsets: [Int]

        enum CodingKeys: String, CodingKey {
            case dtype, shape
            case offsets = "data_offsets"
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init?(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { return nil }
    }

    let entries: [String: Entry]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var entries: [String: Entry] = [:]
        // Free text about the file has this name.
        for key in container.allKeys where key.stringValue != "__metadata__" {
            entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
        }
        self.entries = entries
    }
}
