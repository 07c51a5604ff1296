import ParlanceControl
import ParlanceNode

/// What a backup says of itself; the first part of its contents.
struct BackupManifest: Codable, Equatable {
    /// The version of the program that made it.
    var program: String
    var made: ControlTime
    /// The peer ID of the identity.
    var identity: String
    /// The name that it had.
    var name: String

    var bytes: [UInt8] { Array(JSONWriter.text(JSONValueEncoder.json(of: self)).utf8) }

    init(program: String, made: ControlTime, identity: String, name: String) {
        self.program = program
        self.made = made
        self.identity = identity
        self.name = name
    }

    /// Nil if the bytes are something else; members that this version does not know are ignored.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSONParser.parse(bytes),
            let read = try? JSONValueDecoder.decode(Self.self, from: json, name: "manifest", strict: false)
        else { return nil }
        self = read
    }
}
