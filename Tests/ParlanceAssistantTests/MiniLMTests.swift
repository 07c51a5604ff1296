import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct MiniLMTests {
    @Test func itNamesTheTensorThatIsMissing() {
        #expect(throws: ModelError.missingTensor(name: "embeddings.word_embeddings.weight")) {
            try MiniLM(reading: SafeTensorsTests.file("{}"), precision: .int8)
        }
    }

    @Test func itNamesTheTensorOfAnotherShape() {
        let header = """
            {"embeddings.word_embeddings.weight":{"dtype":"F32","shape":[2,384],"data_offsets":[0,3072]}}
            """
        let name = "embeddings.word_embeddings.weight"
        #expect(throws: ModelError.wrongShape(name: name, expected: [30_522, 384], found: [2, 384])) {
            try MiniLM(reading: SafeTensorsTests.file(header, [UInt8](repeating: 0, count: 3072)), precision: .int8)
        }
    }

    @Test func itSaysThatThereIsNoFile() {
        #expect(throws: ModelError.missingFile(path: "/nowhere/model")) { try MiniLM(path: "/nowhere/model") }
        #expect(throws: ModelError.self) { try MiniLM(path: "/") }
    }

    @Suite(.enabled(if: ModelData.folder != nil, "PARLANCE_MODEL names no folder with the weights"))
    struct WithWeights {
        private func embeddings(
            _ precision: MiniLM.Precision,
            kernel: Kernel
        ) throws -> [(expected: [Float], found: [Float])] {
            let folder = try #require(ModelData.folder)
            let tokenizer = try WordPieceTokenizer(vocabulary: ModelData.vocabulary())
            var model = try MiniLM(path: folder + "/model.safetensors", precision: precision)
            model.kernel = kernel
            return try ModelData.embeddings().map { line in
                (line.vector, model.embed(tokens: tokenizer.tokens(of: line.text)))
            }
        }

        @Test func floatsAreThoseOfTheReference() throws {
            var worst: Float = 0
            for (expected, found) in try embeddings(.float, kernel: .best) {
                worst = zip(expected, found).reduce(worst) { max($0, abs($1.0 - $1.1)) }
            }
            print("largest difference with floats: \(worst)")
            #expect(worst <= 1e-5)
        }

        @Test(arguments: [Kernel.plain, Kernel.best])
        func bytesAreNearTheReference(kernel: Kernel) throws {
            let cosines = try embeddings(.int8, kernel: kernel).map { dot($0.expected, $0.found) }
            let packed = try embeddings(.int8, kernel: kernel).map { Int8Vector($0.expected).dot(Int8Vector($0.found)) }
            let mean = cosines.reduce(0, +) / Float(cosines.count)
            let worst = try #require(cosines.min())
            print("cosine with bytes: mean \(mean), worst \(worst); both packed: worst \(packed.min() ?? 0)")
            #expect(worst >= 0.99)
            #expect(packed.allSatisfy { $0 >= 0.985 })
        }

        @Test func likeMeaningsAreNear() throws {
            let vectors = try embeddings(.int8, kernel: .best).map(\.found)
            // "The weather is lovely today.", "He drove to the stadium.", both of length 1.
            #expect(abs(dot(vectors[0], vectors[0]) - 1) < 1e-5)
            #expect(abs(dot(vectors[0], vectors[1]) - 0.1046) < 0.02)
        }

        @Test func oddTokensDoNoHarm() throws {
            let folder = try #require(ModelData.folder)
            let model = try MiniLM(path: folder + "/model.safetensors")
            #expect(model.embed(tokens: []) == [Float](repeating: 0, count: 384))
            #expect(model.embed(tokens: [101, -1, 30_522, .max, 102]) == model.embed(tokens: [101, 102]))
            let long = [Int32](repeating: 2003, count: 300)
            #expect(model.embed(tokens: long) == model.embed(tokens: Array(long.prefix(256))))
        }

        private func dot(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    }
}
