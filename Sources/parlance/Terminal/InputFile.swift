import ParlanceControl
import ParlanceWords
import SystemPackage

/// A file that a command reads whole.
enum InputFile {
    /// - Parameter advice: what was left undone, if the file cannot be read.
    /// - Returns: `nil` if the file is longer than the limit, in bytes.
    static func bytes(of path: UserPath, limit: Int, advice: Phrase) throws(ControlFailure) -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            let opened = try path.system.withUnsafeBufferPointer { path throws in
                guard let path = path.baseAddress else { throw Errno.noSuchFileOrDirectory }
                return try FileDescriptor.open(path, .readOnly)
            }
            defer { try? opened.close() }
            var buffer = [UInt8](repeating: 0, count: 1_048_576)
            while bytes.count <= limit {
                let count = try buffer.withUnsafeMutableBytes { try opened.read(into: $0) }
                if count == 0 { return bytes }
                bytes += buffer[..<count]
            }
        } catch {
            let reason = error as? Errno ?? .ioError
            throw ControlFailure(
                code: ControlFailure.fileCode(reason),
                message: "\(path.shown) cannot be read: \(reason.description).",
                advice: advice
            )
        }
        return nil
    }
}
