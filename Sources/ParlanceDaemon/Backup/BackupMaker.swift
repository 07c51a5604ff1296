import Foundation
package import ParlanceControl
import ParlanceNode
package import ParlanceProfile
import ParlanceSodium
import ParlanceStore
import ParlanceTexts
import ParlanceWire
package import ParlanceWords

/// What `parlance backup` does. The program of the daemon performs it, not the running daemon: a node that runs as a service
/// cannot write where its user wants the file.
package struct BackupMaker: Sendable {
    private let paths: ControlPaths
    /// Whether root wants the node of another user.
    private let ofAnyUser: Bool

    package init(
        profile: String?,
        dataDirectory: String?,
        socket: String?,
        ofAnyUser: Bool,
        environment: [String: String]
    ) throws(ControlFailure) {
        do throws(ControlError) {
            paths = try ControlPaths(
                profile: profile,
                dataDirectory: dataDirectory,
                socket: socket,
                environment: environment
            )
        } catch { throw ControlFailure(error) }
        self.ofAnyUser = ofAnyUser
    }

    /// Writes a backup of the running node.
    ///
    /// - Parameters:
    ///   - isForced: whether to replace a file that exists.
    ///   - passphrase: asked for a passphrase to encrypt the file; nil leaves it unencrypted.
    package func run(
        to path: UserPath,
        isForced: Bool,
        passphrase: PassphraseSource?,
        isQuiet: Bool
    ) async throws(ControlFailure) -> BackupReport {
        let file = try OutputFile(path, isForced: isForced)
        let client = try await Self.calling {
            try await ControlClient.connect(to: paths.socketToUse(), ofAnyUser: ofAnyUser)
        }
        client.speak(.current)
        let status = try await Self.calling { try await client.call(StatusOperation()) }
        let key = try passphrase.map { source throws(ControlFailure) in try Self.key(source) }
        var progress = ProgressLine(isWanted: !isQuiet)
        defer { progress.clear() }
        progress.show(say("Copying the message store…"))
        let reply = try await Self.calling { try await client.call(BackupOperation()) }
        let store = try InputFile(reply.copy)
        unlink(reply.copy)
        await client.close()

        let manifest = BackupManifest(
            program: ParlanceVersion.text,
            made: ControlTime(milliseconds: WallClock.milliseconds()),
            identity: status.peerID,
            name: status.name
        )
        var writer = try BackupWriter<ControlFailure>(key) { bytes throws(ControlFailure) in try file.append(bytes) }
        try Self.write(manifest.bytes, as: .manifest, to: &writer)
        let identityPath = IdentityFile(in: reply.dataPath).path
        guard let identity = try InputFile.contents(of: identityPath, most: BackupFormat.Part.identity.mostBytes) else {
            throw ControlFailure(
                code: ControlFailure.fileFailed,
                message: "There is no identity file at \(identityPath).",
                advice: "Put a copy of it back; no backup was made."
            )
        }
        try Self.write(identity, as: .identity, to: &writer)
        if let settings = try InputFile.contents(of: reply.config, most: BackupFormat.Part.settings.mostBytes) {
            try Self.write(settings, as: .settings, to: &writer)
        }
        try Self.write(store, to: &writer, &progress)
        try writer.finish()
        try file.finish()
        return BackupReport(
            file: path.shown,
            bytes: file.written,
            encrypted: key != nil,
            identity: manifest.identity,
            made: manifest.made,
            protected: status.protected,
            private: file.isPrivate
        )
    }

    private static func key(_ source: PassphraseSource) throws(ControlFailure) -> BackupKey {
        do throws(DaemonError) {
            let passphrase = try source.new(
                Phrase("Passphrase of the backup:"),
                again: Phrase("Passphrase of the backup again:"),
                without: .noTerminalForBackup
            )
            do throws(SodiumError) {
                return try BackupKey(passphrase, cost: .moderate)
            } catch { throw DaemonError(error.text, advice: "No backup was made.") }
        } catch { throw .asking(error) }
    }

    private static func write(
        _ bytes: [UInt8],
        as part: BackupFormat.Part,
        to writer: inout BackupWriter<ControlFailure>
    ) throws(ControlFailure) {
        try writer.begin(part: part.rawValue, length: UInt64(bytes.count))
        try writer.append(bytes)
    }

    private static func write(
        _ store: InputFile,
        to writer: inout BackupWriter<ControlFailure>,
        _ progress: inout ProgressLine
    ) throws(ControlFailure) {
        try writer.begin(part: BackupFormat.Part.store.rawValue, length: UInt64(store.byteCount))
        var done = 0
        while done < store.byteCount {
            let bytes: [UInt8]
            do throws(BackupFault) {
                bytes = try store.next(min(BackupFormat.chunkBytes, store.byteCount - done))
                if bytes.isEmpty { throw .truncated }
            } catch { throw error.failure(store.path) }
            try writer.append(bytes)
            done += bytes.count
            progress.show(say("Writing the backup: \(100 * done / store.byteCount) %"))
        }
    }

    private static func calling<Value>(_ call: () async throws -> Value) async throws(ControlFailure) -> Value {
        do {
            return try await call()
        } catch let failure as ControlFailure {
            throw failure
        } catch {
            throw .badReply("\(error)")
        }
    }
}

/// A backup that was made.
package struct BackupReport: Codable, Equatable, Sendable {
    package var file: String
    package var bytes: Int
    /// Whether the file is encrypted.
    package var encrypted: Bool
    /// The peer ID of the identity in it.
    package var identity: String
    package var made: ControlTime
    /// Whether the identity has a passphrase of its own, within the file too.
    package var protected: Bool
    /// Whether nobody else can read the file, by its permissions.
    package var `private`: Bool

    package var json: String { JSONWriter.text(JSONValueEncoder.json(of: self)) }

    /// What people are told.
    package var lines: [String] {
        let place = say("The backup is in \(VisibleText.line(file)) (\(FileText.size(UInt64(clamping: bytes)))).")
        let made = "\(place) \(say(OutputFile.readers(isPrivate: `private`)))"
        let safety: String
        if encrypted {
            safety = say("It is encrypted: without its passphrase nobody can open it, neither can you.")
        } else if protected {
            safety = say(
                """
                It is not encrypted: whoever gets it can read your messages. Your identity in it is under its own \
                passphrase. To encrypt the backup, add --passphrase.
                """
            )
        } else {
            safety = say(
                """
                It is not encrypted: whoever gets it can read your messages and write in your name. To encrypt it, add \
                --passphrase.
                """
            )
        }
        return [made, say("The files that were sent are not in it."), safety]
    }
}

extension ControlFailure {
    /// Why a passphrase was not taken: without a terminal, as every command says that one is needed.
    static func asking(_ error: DaemonError) -> ControlFailure {
        guard error == .noTerminalForBackup else { return ControlFailure(ControlError(error)) }
        return ControlFailure(code: "noTerminal", message: error.message, advice: error.advice)
    }
}

extension DaemonError {
    static let noTerminalForBackup = DaemonError(
        "There is no terminal to ask for the passphrase of the backup.",
        advice: "Give it through an open file descriptor: --passphrase-fd N"
    )
}
