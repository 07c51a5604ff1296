import Foundation
package import ParlanceControl
import ParlanceErrorCode
import ParlanceNode
package import ParlanceProfile
import ParlanceSodium
import ParlanceStore
import ParlanceWire
package import ParlanceWords
import SystemPackage

/// What `parlance restore` does: it puts a backup into a data folder that has neither an identity nor messages.
///
/// The whole file is read and checked before anything is in its place. The guard of the replica then sees a copy, so the
/// node goes on as a new replica, and gets from its peers what it had written since (identity.md, "Replica").
package struct BackupRestorer: Sendable {
    /// The greatest cost of a passphrase that is accepted: four times that of our own files.
    private static let mostCost = PasswordHash.Cost(operations: 12, memoryBytes: 1 << 30)

    private let folder: String
    private let settings: SettingsSource
    /// Whether the settings go to the configuration file. That of the profile is not the one of another data folder: a
    /// restore into a folder for a trial leaves nothing elsewhere.
    private let hasPlaceForSettings: Bool

    package init(
        configuration: String?,
        profile: String?,
        dataDirectory: String?,
        environment: [String: String]
    ) throws(ControlFailure) {
        do throws(ControlError) {
            let paths = try ControlPaths(profile: profile, dataDirectory: dataDirectory, environment: environment)
            folder = paths.dataDirectory
        } catch { throw ControlFailure(error) }
        hasPlaceForSettings = configuration != nil || dataDirectory == nil
        settings = SettingsSource(file: configuration, profile: profile, environment: environment)
    }

    /// What was read of a backup. Nothing of it is in its place.
    private struct Parts {
        var manifest: [UInt8] = []
        var identity: [UInt8] = []
        var settings: [UInt8]?
        var store: RestoredStore?
    }

    /// - Parameter passphrase: asked if the file is encrypted.
    package func run(
        from file: UserPath,
        passphrase: PassphraseSource,
        isQuiet: Bool
    ) throws(ControlFailure) -> RestoreReport {
        do throws(SodiumError) { try Sodium.start() } catch { throw .local(DaemonError(error.text, advice: "")) }
        let (input, path) = (try InputFile(file), file.shown)
        try checkFolder()
        let header: BackupHeader
        do throws(BackupFault) {
            header = try BackupHeader({ count throws(BackupFault) in try input.next(count) }, most: Self.mostCost)
        } catch { throw error.failure(path) }
        let typed = header.sealing == nil ? nil : try Self.ask(passphrase)
        let parts = try read(header, typed, input, isQuiet)
        return try finish(parts, of: path)
    }

    /// Refuses a place where no data folder may be, or a profile that is in use, before anybody is asked for anything.
    private func checkFolder() throws(ControlFailure) {
        do throws(DaemonError) { try DataFolder(path: folder).check() } catch { throw .local(error) }
        let files = [IdentityFile(in: folder).path, folder + "/store.sqlite"]
        guard let found = files.first(where: { FileManager.default.fileExists(atPath: $0) }) else { return }
        throw ControlFailure(
            code: ErrorCode.notAllowed.rawValue,
            message: "This profile is in use: there is \(found). A restore never replaces an identity or messages.",
            advice: "Restore into another profile (--profile NAME), or move the folder \(folder) away."
        )
    }

    private static func ask(_ source: PassphraseSource) throws(ControlFailure) -> SecretBytes {
        do throws(DaemonError) {
            return try source.ask(Phrase("Passphrase of the backup:"), without: .noTerminalForBackup)
        } catch { throw .asking(error) }
    }

    // Reading.

    private func read(
        _ header: BackupHeader,
        _ passphrase: SecretBytes?,
        _ input: InputFile,
        _ isQuiet: Bool
    ) throws(ControlFailure) -> Parts {
        var reader: BackupReader
        do throws(BackupFault) {
            reader = try BackupReader(header, passphrase: passphrase) { count throws(BackupFault) in
                try input.next(count)
            }
        } catch { throw error.failure(input.path) }
        var parts = Parts()
        var progress = ProgressLine(isWanted: !isQuiet)
        defer { progress.clear() }
        var done = 0
        while let piece = try Self.next(&reader, input.path) {
            try take(piece, into: &parts)
            done += piece.bytes.count
            progress.show(say("Reading the backup: \(min(100, 100 * done / max(1, input.byteCount))) %"))
        }
        return parts
    }

    private static func next(_ reader: inout BackupReader, _ path: String) throws(ControlFailure) -> BackupReader.Piece?
    {
        do throws(BackupFault) {
            return try reader.next()
        } catch { throw error.failure(path) }
    }

    private func take(_ piece: BackupReader.Piece, into parts: inout Parts) throws(ControlFailure) {
        switch BackupFormat.Part(rawValue: piece.part) {
        case .manifest: parts.manifest += piece.bytes
        case .identity: parts.identity += piece.bytes
        case .settings: parts.settings = (parts.settings ?? []) + piece.bytes
        case .store:
            do throws(StoreError) {
                if parts.store == nil { parts.store = try RestoredStore(in: folder) }
                try parts.store?.append(piece.bytes)
            } catch { throw .local(error) }
        case nil: break
        }
    }

    // Putting it in its place.

    private func finish(_ parts: Parts, of path: String) throws(ControlFailure) -> RestoreReport {
        guard let manifest = BackupManifest(parts.manifest), let store = parts.store,
            let text = String(validating: parts.identity, as: UTF8.self),
            let identity = IdentityFile.content(of: parts.identity)
        else { throw BackupFault.parts.failure(path) }
        let contents: RestoredStore.Contents
        do throws(StoreError) {
            contents = try store.check()
        } catch { throw .local(error) }
        guard contents.identity == PeerID(text: manifest.identity), identity.belongs(to: contents.identity) else {
            throw BackupFault.parts.failure(path)
        }
        do throws(StoreError) { try store.putInPlace() } catch { throw .local(error) }
        do throws(DaemonError) {
            try IdentityFile(in: folder).restore(text)
        } catch {
            store.takeBack()
            throw .local(error)
        }
        return RestoreReport(
            file: path,
            identity: manifest.identity,
            name: manifest.name,
            made: manifest.made,
            dataPath: folder,
            config: settings.file,
            settings: restoreSettings(parts.settings)
        )
    }

    /// Writes the configuration file, unless there is one, or this version does not understand the one of the backup.
    private func restoreSettings(_ bytes: [UInt8]?) -> RestoreReport.SettingsOutcome {
        guard let bytes else { return .none }
        guard hasPlaceForSettings else { return .left }
        guard !FileManager.default.fileExists(atPath: settings.file) else { return .kept }
        do throws(DaemonError) {
            _ = try SettingsFile(bytes, path: settings.file).settings()
        } catch { return .failed }
        let above = URL(fileURLWithPath: settings.file).deletingLastPathComponent().path
        let made: Void? = try? FileManager.default.createDirectory(
            atPath: above,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        guard made != nil else { return .failed }
        do throws(Errno) {
            let file = try AtomicFile(settings.file)
            try file.write(bytes)
            return try file.make() ? .written : .kept
        } catch { return .failed }
    }
}

extension ControlFailure {
    fileprivate static func local(_ error: DaemonError) -> ControlFailure { ControlFailure(ControlError(error)) }

    fileprivate static func local(_ error: StoreError) -> ControlFailure {
        let code: ErrorCode = error.code == .foreign ? .notAllowed : .storeFailed
        return ControlFailure(ControlError(code, error.message, advice: error.advice))
    }
}

/// A backup that was restored.
package struct RestoreReport: Codable, Equatable, Sendable {
    /// What became of the settings in the backup.
    package enum SettingsOutcome: String, Codable, Sendable {
        /// There are none in it.
        case none
        case written
        /// There was a configuration file already, which stays.
        case kept
        /// The data folder was named and no configuration file, so there is no place for them.
        case left
        /// They are of another version, or could not be written.
        case failed
    }

    package var file: String
    /// The peer ID of the identity.
    package var identity: String
    package var name: String
    package var made: ControlTime
    package var dataPath: String
    package var config: String
    package var settings: SettingsOutcome

    package var json: String { JSONWriter.text(JSONValueEncoder.json(of: self)) }

    /// What people are told.
    package var lines: [String] {
        let name = VisibleText.line(NameText.plain(name))
        let made = LocalClock.system().short(made)
        let restored = say("Restored \(name) (\(VisibleText.line(String(identity.prefix(8))))) as of \(made).")
        let config = VisibleText.line(config)
        let outcome: String? =
            switch settings {
            case .none: nil
            case .written: say("The settings are in \(config).")
            case .kept: say("The settings in \(config) stay; those of the backup were left out.")
            case .left: say("The settings of the backup were left out. To restore them too: --config FILE")
            case .failed: say("The settings of the backup could not be restored to \(config).")
            }
        let next = say(
            """
            Start parlanced: it goes on as a new copy of you, and gets from others what was written since. Never run the \
            old copy again.
            """
        )
        return [restored, outcome, next].compactMap { $0 }
    }
}
