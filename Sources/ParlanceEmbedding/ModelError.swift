/// What is wrong with the files of the embedding model.
package enum ModelError: Error, Equatable {
    /// The file cannot be opened, read or written. `code` is the error number of the system.
    case inaccessible(path: String, code: Int32)
    /// There is no file of the model at this path.
    case missingFile(path: String)
    /// The bytes end before a part that should be in them.
    case truncated
    /// The archive is no ZIP archive, or one that this reader does not understand.
    case malformedArchive(reason: String)
    /// The archive has no such file.
    case missingEntry(name: String)
    /// The file has another length than the file of this model.
    case wrongSize(name: String, expected: Int, found: Int)
    /// The file has the right length, but other contents than the file of this model.
    case wrongDigest(name: String)
    /// The vocabulary is no list of different words, or lacks a special token.
    case malformedVocabulary(reason: String)
    /// The header of the safetensors file breaks the rules of the format.
    case malformedHeader(reason: String)
    /// The file has no such tensor.
    case missingTensor(name: String)
    /// The tensor has another shape than this model's.
    case wrongShape(name: String, expected: [Int], found: [Int])
    /// The tensor has numbers of another type than F32.
    case wrongType(name: String, found: String)
    /// The tensor holds an infinity or a NaN.
    case notFinite(name: String)
}
