import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import Testing

/// Ada and Bob, who know each other and have each other's keys, run without a network between them, and share a stick.
struct StickScene {
    let ada: LabNode
    let bob: LabNode
    /// Who else has met Ada.
    let others: [LabNode]
    let stick: String
    private let lab: Lab

    /// - Parameter nodes: Ada, Bob, and perhaps others, who have met; absent: Ada and Bob.
    init(_ lab: Lab, _ nodes: [LabNode]? = nil) async throws {
        self.lab = lab
        stick = lab.folder.appending(path: "stick").path
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: false)
        var met = nodes ?? []
        if met.isEmpty {
            let pair = try await Pair.meeting(in: lab)
            met = [pair.ada, pair.bob]
        }
        for node in met { #expect(try await node.end(SIGTERM) == 0) }
        // On other ports nobody finds the others again.
        let apart = try met.map {
            LabNode.onLoopback(lab, $0.name, folder: $0.folder.lastPathComponent, port: try Lab.freePort())
        }
        (ada, bob) = (apart[0], apart[1])
        others = Array(apart.dropFirst(2))
        for node in apart { try await node.start() }
        for node in apart.dropFirst() {
            try await exchange(ada, node)
            try await exchange(node, ada)
        }
    }

    /// One carries out, and the other in.
    func exchange(_ from: LabNode, _ to: LabNode) async throws {
        if from !== ada {
            let first = try await from.parlance("carry", "in", stick)
            #expect(first.code == 0, "\(first.errors)")
        }
        let out = try await from.parlance("carry", "out", stick)
        let taken = try await to.parlance("carry", "in", stick)
        #expect(out.code == 0 && taken.code == 0, "\(out.errors) \(taken.errors)")
    }

    func carryOut(to who: String = "Bob", _ options: String...) async throws {
        let out = try await ada.parlance(["carry", "out", stick, who] + options)
        #expect(out.code == 0, "\(out.errors)")
    }

    /// Ada sends files that are called `sample-0.bin` and so on.
    func send(_ files: [SampleFile], _ text: String, to who: String = "Bob") async throws {
        var words = ["send", who]
        for (number, file) in files.enumerated() {
            let path = lab.folder.appending(path: "sample-\(number).bin")
            try Data(file.bytes).write(to: path)
            words += ["--file", path.path]
        }
        let sent = try await ada.parlance(words + [text])
        #expect(sent.code == 0, "\(sent.errors)")
    }

    /// What Bob has of a file, if it is whole.
    func content(of file: SampleFile) async throws -> [UInt8]? {
        guard let path = try? await bob.ask(FilePathOperation(file: file.id.text)).path else { return nil }
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// Everything on the stick.
    func files() throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: stick)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, [UInt8](try Data(contentsOf: URL(filePath: stick + "/" + $0)))) }
        )
    }

    /// The names of the sealed files on the stick: they are all longer than these parcels.
    func sealed() throws -> [String] {
        try files().filter { $0.value.count > Limits.sealedPieceBytes }.keys.sorted()
    }

    func put(_ bytes: [UInt8]?, _ name: String) throws {
        let path = stick + "/" + name
        if let bytes { try Data(bytes).write(to: URL(filePath: path)) } else { unlink(path) }
    }
}
