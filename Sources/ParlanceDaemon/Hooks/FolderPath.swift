import CParlanceSystem
import Foundation
import Glibc

/// The folders on the way to a path, also where links lead it elsewhere.
enum FolderPath {
    /// Links that are followed at most, as the system does it (path_resolution(7)).
    static let mostLinks = 40

    /// The folder that holds this one.
    static func above(_ path: String) -> String {
        guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "/" }
        return String(path[..<end])
    }

    /// Where a path leads whose beginning, up to `link`, is a link; nil if that is none.
    static func following(_ link: String, in path: String) -> String? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return nil }
        let place = target.hasPrefix("/") ? target : above(link) + "/" + target
        return place + String(path.dropFirst(link.count))
    }

    /// The first folder above this one that cannot be entered; nil if it can be reached.
    static func closed(above path: String, enters: (String) -> Bool = FolderPath.enters) -> String? {
        var place = path
        for _ in 0...mostLinks {
            var way = [place]
            while let first = way.first, first != "/" { way.insert(above(first), at: 0) }
            guard let closed = way.first(where: { !enters($0) }) else { return nil }
            guard let next = following(closed, in: place) else { return closed == place ? nil : closed }
            place = next
        }
        return nil
    }

    static func enters(_ folder: String) -> Bool {
        faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS) == 0 || errno != EACCES
    }
}
