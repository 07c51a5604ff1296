package import ParlanceRecords

extension FolderListing {
    /// Where to write each file, in the order of `entries`: safe names from the outermost folder to the file. No two are the
    /// same place on any system, and no file is in the way of a folder. Whoever writes them opens each folder by its name
    /// and follows no link.
    package var places: [[SafeFileName]] { layout.files }

    /// Where to write each file, as in `places`, and where to make each empty folder, in the order of `emptyFolders`.
    package var layout: (files: [[SafeFileName]], emptyFolders: [[SafeFileName]]) {
        var layout = Layout()
        return (entries.map { layout.place($0.path) }, emptyFolders.map { layout.place($0) })
    }

    /// A file or folder that cannot keep its name: the path as the sender has it, and the name under which it is written.
    package struct Renaming: Equatable, Sendable {
        package let path: String
        package let name: SafeFileName
    }

    /// What cannot keep its name, each once: it would be hidden, some system does not take it, or takes it for another.
    package var renamings: [Renaming] {
        let layout = layout
        var known: Set<[UInt8]> = []
        var renamings: [Renaming] = []
        for (path, place) in zip(entries.map(\.path) + emptyFolders, layout.files + layout.emptyFolders) {
            for (part, name) in zip(path.utf8.split(separator: UInt8(ascii: "/")), place) {
                let way = path.utf8[..<part.endIndex]
                guard !part.elementsEqual(name.text.utf8), known.insert(Array(way)).inserted else { continue }
                renamings.append(Renaming(path: String(decoding: way, as: UTF8.self), name: name))
            }
        }
        return renamings
    }

    /// The names that are given so far.
    private struct Layout {
        private var folders = [Folder()]

        mutating func place(_ path: String) -> [SafeFileName] {
            let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
            var (place, at) = ([SafeFileName](), 0)
            for part in parts.dropLast() {
                let inner: Folder.Inner
                if let known = folders[at].folders[part] {
                    inner = known
                } else {
                    inner = Folder.Inner(name: folders[at].names.insert(SafeFileName(part)), index: folders.count)
                    folders[at].folders[part] = inner
                    folders.append(Folder())
                }
                place.append(inner.name)
                at = inner.index
            }
            if let name = parts.last { place.append(folders[at].names.insert(SafeFileName(name))) }
            return place
        }
    }

    /// A folder of the listing: the names in it, and the folders by the bytes of the names that the sender has.
    private struct Folder {
        struct Inner {
            let name: SafeFileName
            let index: Int
        }

        var names = FileNameSet()
        var folders: [[UInt8]: Inner] = [:]
    }
}
