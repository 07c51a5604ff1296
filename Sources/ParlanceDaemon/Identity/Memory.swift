import Foundation
import Logging
import ParlanceCore
import ParlanceSodium
import ParlanceStore
import ParlanceWire

/// What a node remembers from one start to the next: its identity, its store, and how often it has started.
struct Memory {
    let key: SigningKey
    let store: Store
    let epoch: UInt64
    let snapshot: EngineSnapshot

    /// Opens the data folder, or makes it at the first start.
    ///
    /// - Parameter givenName: the name that was set; it replaces the stored one.
    init(folder: String, givenName: String?, _ logger: Logger) throws(DaemonError) {
        do { try Sodium.start() } catch { throw DaemonError("\(error)", advice: "") }
        try Self.prepare(folder)
        let (key, isNew) = try IdentityFile.open(in: folder)
        guard let identity = PeerID(key.publicKey), let replica = ReplicaID(RandomBytes.bytes(ReplicaID.count)) else {
            throw DaemonError("The identity has no public key.", advice: "Put a copy of the identity file back.")
        }
        if isNew { logger.info("A new identity was made", metadata: ["peer": "\(identity.prefix)"]) }
        do throws(StoreError) {
            store = try Store.open(
                at: folder,
                identity: identity,
                newReplica: replica,
                profile: ProfileRecord(name: givenName ?? Self.loginName())
            )
            epoch = try store.beginEpoch()
            var snapshot = try store.snapshot()
            if let givenName { snapshot.profile.name = givenName }
            self.snapshot = snapshot
        } catch {
            throw DaemonError(error.message, advice: error.advice)
        }
        self.key = key
    }

    var acceptedPeers: [PeerID] {
        snapshot.peers.filter { $0.trust == .accepted || $0.trust == .verified }.map(\.id)
    }

    private static func prepare(_ folder: String) throws(DaemonError) {
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

    private static func loginName() -> String {
        let name = NSUserName()
        return name.isEmpty ? "parlance" : String(name.prefix(Limits.nameBytes))
    }
}
