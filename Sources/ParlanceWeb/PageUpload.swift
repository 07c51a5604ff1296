import HummingbirdCore
import NIOCore
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Takes a file from the page: its bytes go through a pipe, so that the one way to copy a file of the user is used.
struct PageUpload: Sendable {
    /// The answer: a member of `files` of the method `send`, and more.
    struct Reply: Encodable, Sendable {
        var file: String
        var name: String
        var size: UInt64
        var width: Int?
        var height: Int?
        /// What the sender has to know.
        var notes: [Phrase]?
    }

    let requests: RequestAnswerer
    let threads: PageThreads
    let copy: PageFileCopy

    /// - Parameter length: the bytes of the body. Of a connection that was cut only this tells that something is missing.
    func take(_ body: RequestBody, length: UInt64, name: String, keepMetadata: Bool) async throws(ControlError) -> Reply
    {
        let place = try await requests.call(FilePrepareOperation())
        let facts = try await copied(body, length, name, place, keepMetadata)
        let added: FileAddReply
        do throws(ControlError) {
            added = try await requests.call(FileAddOperation(name: place.name))
        } catch {
            unlink(place.path)
            throw error
        }
        return Reply(
            file: added.file,
            name: name,
            size: added.size,
            width: facts.width,
            height: facts.height,
            notes: facts.notes.isEmpty ? nil : facts.notes
        )
    }

    private func copied(
        _ body: RequestBody,
        _ length: UInt64,
        _ name: String,
        _ place: FilePrepareReply,
        _ keepMetadata: Bool
    ) async throws(ControlError) -> PageFileFacts {
        guard let pipe = Pipe() else { throw Self.cutOff }
        async let facts = copied(from: pipe.reading, name, place, keepMetadata)
        let isWhole = await pour(body, into: pipe.writing) == length
        close(pipe.writing)
        let result = await facts
        guard isWhole else {
            unlink(place.path)
            // What stopped the copy says more than that the rest was not read.
            _ = try result.get()
            throw Self.cutOff
        }
        return try result.get()
    }

    private func copied(
        from descriptor: Int32,
        _ name: String,
        _ place: FilePrepareReply,
        _ keepMetadata: Bool
    ) async -> Result<PageFileFacts, ControlError> {
        let result = try? await threads.run { [copy] in copy(descriptor, name, place, keepMetadata) }
        close(descriptor)
        return result ?? .failure(Self.cutOff)
    }

    /// - Returns: how many bytes came; nil if they were not all taken.
    private func pour(_ body: RequestBody, into descriptor: Int32) async -> UInt64? {
        var count: UInt64 = 0
        do {
            for try await buffer in body {
                let bytes = Array(buffer.readableBytesView)
                guard try await threads.run({ Self.write(bytes, to: descriptor) }) else { return nil }
                count += UInt64(bytes.count)
            }
            return count
        } catch { return nil }
    }

    /// - Returns: false if nobody reads any more. (The daemon ignores SIGPIPE.)
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    private static let cutOff = ControlError(
        .invalidValue,
        "The file did not come as a whole.",
        advice: "Nothing was sent. Try it again."
    )

    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            // A hook that starts in between ends by itself.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }
}
