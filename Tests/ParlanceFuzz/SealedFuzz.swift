import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// A sealed file on a stick: any bytes are refused, and no change of an honest one goes unnoticed.
enum SealedFuzz {
    private static let key = [UInt8](repeating: 7, count: 32)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        switch reader.byte() & 3 {
        case 0: promise(read(reader.rest(), carried([])) == nil, "any bytes are taken")
        case 1:
            let content = reader.rest()
            promise(read(sealed(content), carried(content)) == content, "an honest file is refused")
        case 2:
            // One byte of it is another one.
            let (place, change) = (Int(reader.short()) << 1, reader.byte())
            let content = reader.rest()
            var file = sealed(content)
            file[place % file.count] ^= change
            promise((read(file, carried(content)) == nil) == (change != 0), "a change of byte \(place) goes unnoticed")
        default:
            // It is cut, or something follows, or it is another file under the same key.
            let cut = Int(reader.short()) << 1
            let (rest, content) = (reader.block(), reader.rest())
            let file = sealed(content)
            let changed = Array(file.prefix(cut)) + rest
            promise(changed == file || read(changed, carried(content)) == nil, "a file that is cut is taken")
            promise(rest.isEmpty || read(file + rest, carried(content)) == nil, "a file that continues is taken")
            promise(rest.isEmpty || read(file, carried(content + rest)) == nil, "another file is taken")
        }
    }

    private static func carried(_ content: [UInt8]) -> CarriedFile {
        guard let key = SealedFileKey(key), let shape = try? FileShape(size: UInt64(content.count)) else {
            fatalError("a short file has no shape")
        }
        var hasher = FileHasher(shape)
        guard (try? hasher.update(content)) != nil, let id = try? hasher.finish().id else {
            fatalError("a short file has no ID")
        }
        return CarriedFile(file: id, size: UInt64(content.count), key: key, slot: 0)
    }

    private static func sealed(_ content: [UInt8]) -> [UInt8] {
        let carried = carried(content)
        // A stream begins alike for reading and writing, so this one has no random header.
        let header = [UInt8](repeating: 3, count: SecretStream.headerByteCount)
        guard let stream = SecretStream(readingWith: carried.key.secret, header: header),
            var making = try? SealedFileMaking(carried, stream, header: header)
        else {
            fatalError("a short file cannot be sealed")
        }
        var (file, rest) = (making.head, content[...])
        while let count = making.wanted {
            guard let piece = try? making.seal(Array(rest.prefix(count))) else {
                fatalError("a piece cannot be sealed")
            }
            file += piece
            rest = rest.dropFirst(count)
        }
        promise(UInt64(file.count) == making.shape.byteCount, "a sealed file has another length than its shape says")
        return file
    }

    private static func read(_ file: [UInt8], _ carried: CarriedFile) -> [UInt8]? {
        let head = Array(file.prefix(SealedFileShape.headBytes))
        guard var opening = try? SealedFileOpening(carried, head: head, byteCount: UInt64(file.count)) else {
            return nil
        }
        var (found, rest): ([UInt8], ArraySlice<UInt8>) = ([], file.dropFirst(head.count))
        while let count = opening.wanted {
            guard let bytes = try? opening.open(Array(rest.prefix(count))) else { return nil }
            found += bytes
            rest = rest.dropFirst(count)
        }
        return found
    }

    static var seeds: [[UInt8]] {
        let text = Array("what lies on the stick".utf8)
        let content = Array(repeatElement(text, count: 100).joined())
        return [
            [0] + content, [1], [1] + content, [2, 0, 0, 0] + content, [2, 3, 0, 1] + content,
            [2, 40, 64, 128] + content, [3, 0, 0] + FuzzReader.block([]) + content,
            [3, 60, 0] + FuzzReader.block(text) + content, [3, 255, 255] + FuzzReader.block(text) + content,
        ]
    }
}
