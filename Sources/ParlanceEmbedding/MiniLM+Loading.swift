import CParlanceKernel

extension MiniLM {
    /// Reads the weights from the bytes of a file in the format safetensors.
    ///
    /// Throws what is wrong with them, with the name of the tensor. It does not check whose weights they are.
    package init(reading source: some RandomAccess, precision: Precision = .int8) throws(ModelError) {
        let loader = try WeightLoader(tensors: SafeTensors(reading: source), precision: precision)
        words = try loader.matrix(["embeddings.word_embeddings"], rows: Self.vocabularySize, columns: Self.dimensions)
        positions = try Self.positions(loader)
        embeddingNorm = try loader.norm("embeddings.LayerNorm")
        var layers: [EncoderLayer] = []
        for index in 0..<Self.layerCount {
            layers.append(try Self.layer("encoder.layer.\(index)", loader))
        }
        self.layers = layers
    }

    private static func positions(_ loader: WeightLoader<some RandomAccess>) throws(ModelError) -> [Float] {
        let types = try loader.floats("embeddings.token_type_embeddings.weight", shape: [2, dimensions], rows: 0..<1)
        var positions = try loader.floats(
            "embeddings.position_embeddings.weight",
            shape: [positionCount, dimensions],
            rows: 0..<longest
        )
        for index in positions.indices { positions[index] += types[index % dimensions] }
        return positions
    }

    private static func layer(
        _ name: String,
        _ loader: WeightLoader<some RandomAccess>
    ) throws(ModelError) -> EncoderLayer {
        EncoderLayer(
            projection: try loader.dense(
                ["query", "key", "value"].map { "\(name).attention.self.\($0)" },
                rows: dimensions,
                columns: dimensions
            ),
            attentionOutput: try loader.dense(
                ["\(name).attention.output.dense"],
                rows: dimensions,
                columns: dimensions
            ),
            attentionNorm: try loader.norm("\(name).attention.output.LayerNorm"),
            intermediate: try loader.dense(["\(name).intermediate.dense"], rows: intermediate, columns: dimensions),
            output: try loader.dense(["\(name).output.dense"], rows: dimensions, columns: intermediate),
            outputNorm: try loader.norm("\(name).output.LayerNorm")
        )
    }
}

/// Reads tensors and makes the parts of the network of them.
private struct WeightLoader<Source: RandomAccess> {
    let tensors: SafeTensors<Source>
    let precision: MiniLM.Precision

    /// So many rows are in memory as floats at a time.
    private static var batch: Int { 64 }

    /// Some rows of a tensor. Throws `notFinite` too.
    func floats(_ name: String, shape: [Int], rows: Range<Int>) throws(ModelError) -> [Float] {
        let tensor = try tensors.tensor(name, shape: shape)
        let columns = shape.dropFirst().reduce(1, *)
        let floats = try tensors.floats(of: tensor, in: rows.lowerBound * columns..<rows.upperBound * columns)
        guard floats.allSatisfy(\.isFinite) else { throw .notFinite(name: name) }
        return floats
    }

    func norm(_ name: String) throws(ModelError) -> LayerNorm {
        LayerNorm(
            weight: try vector("\(name).weight", MiniLM.dimensions),
            bias: try vector("\(name).bias", MiniLM.dimensions)
        )
    }

    private func vector(_ name: String, _ count: Int) throws(ModelError) -> [Float] {
        try floats(name, shape: [count], rows: 0..<count)
    }

    /// Layers of the same inputs, as one.
    func dense(_ names: [String], rows: Int, columns: Int) throws(ModelError) -> DenseLayer {
        var bias: [Float] = []
        for name in names { bias += try vector("\(name).bias", rows) }
        return DenseLayer(weights: try matrix(names, rows: rows, columns: columns), bias: bias)
    }

    /// The rows of all these tensors, which have the same shape.
    func matrix(_ names: [String], rows: Int, columns: Int) throws(ModelError) -> Matrix {
        let storage: Matrix.Storage
        switch precision {
        case .int8:
            var values = [Int8](repeating: 0, count: names.count * rows * columns)
            var scales: [Float] = []
            for name in names {
                try quantise("\(name).weight", rows: rows, columns: columns, into: &values, &scales)
            }
            storage = .int8(values: values, scales: scales)
        case .float:
            var values: [Float] = []
            for name in names { values += try floats("\(name).weight", shape: [rows, columns], rows: 0..<rows) }
            storage = .float(values)
        }
        return Matrix(rows: names.count * rows, columns: columns, storage: storage)
    }

    /// Adds the scales of the rows, and writes the rows where they belong.
    private func quantise(
        _ name: String,
        rows: Int,
        columns: Int,
        into values: inout [Int8],
        _ scales: inout [Float]
    ) throws(ModelError) {
        let tensor = try tensors.tensor(name, shape: [rows, columns])
        for first in stride(from: 0, to: rows, by: Self.batch) {
            let end = min(first + Self.batch, rows)
            let floats = try tensors.floats(of: tensor, in: first * columns..<end * columns)
            values.withUnsafeMutableBufferPointer { values in
                floats.withUnsafeBufferPointer { floats in
                    guard let source = floats.baseAddress, let target = values.baseAddress else { return }
                    for start in stride(from: 0, to: floats.count, by: columns) {
                        let place = target + scales.count * columns
                        scales.append(parlance_quantise_int8(Kernel.best.choice, source + start, columns, place))
                    }
                }
            }
        }
        guard scales.allSatisfy(\.isFinite) else { throw .notFinite(name: name) }
    }
}
