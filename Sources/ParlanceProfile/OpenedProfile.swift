import Foundation
package import Logging
package import ParlanceCore
import ParlanceRecords
package import ParlanceSodium
package import ParlanceStore
package import ParlanceWire
import ParlanceWords

/// The state that a node keeps across starts: its identity, its store, and the number of its starts.
package struct OpenedProfile {
    package let key: SigningKey
    package let store: Store
    package let epoch: UInt64
    package let snapshot: EngineSnapshot
    package let guardKeeper: GuardKeeper
    /// Whether the identity is encrypted under a passphrase.
    package let isProtected: Bool
    /// Why this run writes under a new replica although the store was used before; `nil` if it does not.
    package let copied: ReplicaGuard.Reason?

    /// Opens the data folder, or creates it at the first start.
    ///
    /// - Parameters:
    /// - stateFolder: the folder of the replica guard.
    /// - givenName: the configured name; it replaces the stored one.
    /// - passphrase: the source of the identity's passphrase, if there is one.
    package init(
        folder: String,
        stateFolder: String,
        givenName: String?,
        passphrase: PassphraseSource,
        _ logger: Logger
    ) throws(DaemonError) {
        do { try Sodium.start() } catch { throw DaemonError(error.text, advice: "") }
        try Self.prepare(folder)
        let (key, isNew, isProtected) = try IdentityFile(in: folder).open(passphrase.asker())
        guard let identity = PeerID(key.publicKey), let replica = ReplicaID(RandomBytes.bytes(ReplicaID.count)) else {
            throw DaemonError("The identity has no public key.", advice: "Put a copy of the identity file back.")
        }
        if isNew { logger.info("A new identity was made", metadata: ["peer": "\(identity.prefix)"]) }
        do throws(StoreError) {
            let guardFile = GuardFile(in: stateFolder, of: folder)
            let profile = ProfileRecord(name: givenName ?? Self.loginName())
            (store, guardKeeper, copied) = try Self.open(folder, identity, replica, profile, guardFile, logger)
            try guardKeeper.begin()
            epoch = try store.beginEpoch()
            var snapshot = try store.snapshot()
            if let givenName { snapshot.profile.name = givenName }
            self.snapshot = snapshot
        } catch {
            let message = error.code == .fatal ? Phrase("\(error.message) It is in \(folder).") : error.message
            throw DaemonError(message, advice: error.advice)
        }
        self.key = key
        self.isProtected = isProtected
    }

    /// The number of replicas of this identity that wrote before this one.
    package var earlierCopies: Int {
        let own = snapshot.logs.map(\.log).filter { $0.author == store.identity }
        let branches = Set(snapshot.branches.map(\.log))
        return Set(own.filter { !branches.contains($0) }.map(\.replica)).subtracting([store.replica]).count
    }

    package var acceptedPeers: [PeerID] {
        snapshot.peers.filter { $0.trust == .accepted || $0.trust == .verified }.map(\.id)
    }

    package static func prepare(_ folder: String) throws(DaemonError) {
        try DataFolder(path: folder).check()
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DaemonError(
                "The data folder \(folder) cannot be made: \(error.localizedDescription)",
                advice: "Give another one with --data-dir, or make it yours."
            )
        }
    }

    /// Opens the store under its replica, or under a new one if the guard does not match.
    private static func open(
        _ folder: String,
        _ identity: PeerID,
        _ newReplica: ReplicaID,
        _ profile: ProfileRecord,
        _ guardFile: GuardFile,
        _ logger: Logger
    ) throws(StoreError) -> (Store, GuardKeeper, ReplicaGuard.Reason?) {
        let machine = Machine.id()
        var opened: (marks: StoreMarks, verdict: ReplicaGuard.Verdict)?
        let store = try Store.open(at: folder, identity: identity, newReplica: newReplica, profile: profile) { marks in
            let verdict = ReplicaGuard.judge(guardFile.read(), of: marks, identity: identity, machine: machine)
            opened = (marks, verdict)
            return verdict == .same
        }
        for path in Store.expiredCopies(at: folder) {
            logger.warning("An old copy of the store cannot be removed: remove it", metadata: ["file": "\(path)"])
        }
        guard let opened else { throw StoreError(.cannotOpen, "The message store was not judged.", advice: "") }
        let known = ReplicaGuard(
            machine: machine,
            file: opened.marks.file,
            identity: identity,
            replica: store.replica,
            generation: opened.marks.generation
        )
        let keeper = GuardKeeper(guardFile, store, known, logger)
        guard case .copy(let reason) = opened.verdict else { return (store, keeper, nil) }
        logger.notice(
            "The data folder was restored, copied or moved; this node writes on as a new copy",
            metadata: ["why": "\(reason.rawValue)", "was": "\(opened.marks.replica)", "is": "\(store.replica)"]
        )
        return (store, keeper, reason)
    }

    static func loginName(_ name: String = NSUserName()) -> String {
        name.isEmpty || name.isReservedName ? "parlance" : String(name.prefix(Limits.nameBytes))
    }
}
