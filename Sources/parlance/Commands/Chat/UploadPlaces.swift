import ParlanceFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where copies of files are that the chat has begun and the node has not taken: they are removed when the chat is left.
final class UploadPlaces: Sendable {
    private struct State {
        var places: Set<String> = []
        var isLeft = false
    }

    private let state = Mutex(State())

    /// A copy is begun.
    ///
    /// - Returns: false if the chat was left already.
    func begin(_ place: String) -> Bool {
        state.withLock { state in
            if !state.isLeft { state.places.insert(place) }
            return !state.isLeft
        }
    }

    /// A copy is finished, and the node has it from now on.
    func end(_ place: String) {
        state.withLock { _ = $0.places.remove(place) }
    }

    /// Removes what is not finished.
    func leave() {
        let places = state.withLock { state in
            state.isLeft = true
            defer { state.places = [] }
            return state.places
        }
        for place in places { Self.remove(place) }
    }

    /// Removes what is there of a copy.
    static func remove(_ place: String) {
        for path in Outgoing.places(of: place) { unlink(path) }
    }
}
