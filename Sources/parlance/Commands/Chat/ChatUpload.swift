import Dispatch
import ParlanceChat
import ParlanceControl
import ParlanceFiles
import ParlanceWords

/// Sends a file that the user has named in the chat, while the chat goes on: it is copied on a queue of its own.
struct ChatUpload: Sendable {
    typealias Completion = @Sendable (Result<SentFile, ControlFailure>) -> Void

    let client: ControlClient
    let places: UploadPlaces
    private let queue = DispatchQueue(label: "parlance.chat.files")

    init(client: ControlClient, places: UploadPlaces) {
        self.client = client
        self.places = places
    }

    func send(_ typed: String, to who: String, _ done: @escaping Completion) {
        let path = TypedPaths.expanded(typed)
        client.send(FilePrepareOperation()) { [self] result in
            switch result {
            case .failure(let failure): done(.failure(failure))
            case .success(let place): queue.async { copy(path, to: place, who, done) }
            }
        }
    }

    private func copy(_ path: String, to place: FilePrepareReply, _ who: String, _ done: @escaping Completion) {
        guard places.begin(place.path) else { return }
        let facts: OutgoingFacts
        do throws(SourceError) {
            defer { places.end(place.path) }
            facts = try Outgoing.copy(UserPath(path), to: place.path, limit: place.limit, keepMetadata: false) { _, _ in
            }
        } catch {
            return done(.failure(ControlFailure(error, limit: place.limit)))
        }
        client.send(FileAddOperation(name: place.name)) { [client] result in
            switch result {
            case .failure(let failure):
                // The node has not taken it.
                UploadPlaces.remove(place.path)
                done(.failure(failure))
            case .success(let added):
                let file = FileToSend(
                    file: added.file,
                    name: FileUpload.name(of: UserPath(path)),
                    folder: facts.isFolder ? true : nil,
                    width: facts.pixels?.width,
                    height: facts.pixels?.height
                )
                let notes = facts.notes(file.name, showsPaths: facts.isFolder)
                client.send(SendOperation(who: who, text: "", files: [file])) { result in
                    done(result.map { SentFile($0, notes: notes) })
                }
            }
        }
    }
}
