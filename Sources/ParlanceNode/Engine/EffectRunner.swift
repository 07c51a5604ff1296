import Dispatch
package import Logging
package import ParlanceCore
package import ParlanceNetwork
import ParlanceRecords
package import ParlanceStore
package import ParlanceWire
import ParlanceWords
import Synchronization

/// Carries out the engine's effects: batches and reads go to the store, frames to the links, answers and notices to
/// clients.
///
/// `run` is called only on the node's event loop. One queue writes the store, so that the engine goes on while the disk
/// syncs; another reads it, so that reads never wait for a write.
package final class EffectRunner: Sendable {
    private let store: Store
    private let links: LinkService
    private let shelf: ShelfService
    private let inbox: Inbox
    private let hub: EventHub
    private let logger: Logger
    private let writer = DispatchQueue(label: "parlance.store.write")
    private let reader = DispatchQueue(label: "parlance.store.read")
    package let counters = Counters()
    /// Events written since `takeEvents` was called.
    private let events = Atomic<Int>(0)
    /// Whether the last step of `searchStep` failed: a full disk is logged once.
    private let hasSearchFailed = Atomic<Bool>(false)
    private let replies = Mutex<[CommandID: Inbox.Reply]>([:])
    /// Called with the reason, perhaps more than once, when the store can no longer be trusted: the node must stop.
    private let onBrokenStore: @Sendable (String) -> Void
    /// Called when the node goes on as another replica, before it dials again.
    private let onNewReplica: @Sendable (ReplicaID) -> Void
    /// Called after it, on the queue that writes the store, to note the replica on disk.
    private let recordReplica: @Sendable (ReplicaID) -> Void
    /// Called with all keys held, newest first, when the workspace's keys change.
    private let onNewKeys: @Sendable ([WorkspaceKey]) -> Void

    package init(
        store: Store,
        links: LinkService,
        shelf: ShelfService,
        inbox: Inbox,
        hub: EventHub,
        logger: Logger,
        onBrokenStore: @escaping @Sendable (String) -> Void,
        onNewReplica: @escaping @Sendable (ReplicaID) -> Void,
        recordReplica: @escaping @Sendable (ReplicaID) -> Void,
        onNewKeys: @escaping @Sendable ([WorkspaceKey]) -> Void
    ) {
        self.store = store
        self.links = links
        self.shelf = shelf
        self.inbox = inbox
        self.hub = hub
        self.logger = logger
        self.onBrokenStore = onBrokenStore
        self.onNewReplica = onNewReplica
        self.recordReplica = recordReplica
        self.onNewKeys = onNewKeys
        store.whenMended { [inbox, logger] mended in Self.tell(of: mended, inbox, logger) }
    }

    /// Texts that are missing now are asked for from peers.
    private static func tell(of mended: [MendedEvent], _ inbox: Inbox, _ logger: Logger) {
        for event in mended {
            logger.warning(
                "A stored message was damaged",
                metadata: [
                    "conversation": "\(event.conversation.text.prefix(8))", "author": "\(event.log.author.prefix)",
                    "number": "\(event.sequence)", "now": event.isTextLost ? "asked for from others" : "restored",
                ]
            )
        }
        let logs = Set(mended.filter(\.isTextLost).map { LogKey($0.conversation, $0.log) })
        if !logs.isEmpty { inbox.offer(.textsDamaged(logs.sorted())) }
    }

    /// Registers the receiver of a command's answer.
    func expect(_ id: CommandID, _ reply: @escaping Inbox.Reply) {
        replies.withLock { $0[id] = reply }
    }

    /// Whether the shelf of files is so far behind that no more should come.
    var isBehind: Bool { shelf.isBehind }

    /// Gives clients the directory that belongs to the effects that come next.
    func publish(_ directory: Directory) { hub.take(directory) }

    func run(_ effects: [Effect]) {
        for effect in effects { run(effect) }
    }

    private func run(_ effect: Effect) {
        counters.note(effect, own: store.identity)
        switch effect {
        case .persist(let batch): write(batch)
        case .read(let id, let request): read(id, request)
        case .readEnvelope(let id, let envelope): readEnvelope(id, envelope)
        case .readMention(let id, let conversation, let file): readMention(id, file, conversation)
        case .shelf(let work): shelf.perform(work)
        case .send(let link, let frame): counters.noteSent(bytes: links.send(link, frame))
        case .dial(let dial, let endpoint, let expected): links.dial(dial, endpoint, expecting: expected)
        case .probe(let attempt, let endpoint): links.probe(attempt, endpoint)
        case .close(let link): links.close(link)
        case .adopt(let replica):
            onNewReplica(replica)
            writer.async { [recordReplica] in recordReplica(replica) }
        case .useKeys(let keys): onNewKeys(keys)
        case .admit(let link, let accepted): links.setAccepted(link, accepted)
        case .answer(let id, let result): replies.withLock { $0.removeValue(forKey: id) }?(result)
        case .notify(let notice): hub.publish(notice)
        case .report(let peer, let report): note(report, of: peer)
        }
    }

    private func note(_ report: Report, of peer: PeerID) {
        let who: Logger.MetadataValue = "\(peer.prefix)"
        switch report {
        case .breach(let rule, let times):
            logger.notice(
                "A peer broke a rule of the protocol, which ended the link",
                metadata: ["peer": who, "rule": "\(rule.rawValue)", "sent": "\(rule.text)", "times": "\(times)"]
            )
        case .forkedLog:
            logger.notice(
                "A log has two branches: a restored backup, a copied folder, or a forgery",
                metadata: ["peer": who]
            )
        case .quotaUsed:
            logger.notice(
                "A peer has written as much into a conversation as is taken in a day (message-quota)",
                metadata: ["peer": who]
            )
        case .behind:
            logger.notice("A peer sends more than is handled at once; others come first", metadata: ["peer": who])
        case .rolledBack:
            logger.notice("The store of this node was rolled back: the node goes on as a new replica")
        }
    }

    private func write(_ batch: PersistBatch) {
        if !batch.events.isEmpty { events.add(batch.events.count, ordering: .relaxed) }
        writer.async { [self] in
            do throws(StoreError) {
                inbox.offer(.persisted(batch.id, try store.persist(batch)))
                try store.maintain()
            } catch {
                inbox.offer(.persistFailed(batch.id, reason: error.message.english, isFull: error.code == .full))
                hasFailed(error)
            }
        }
    }

    /// The store could not be written. What still comes while the node stops is not an error.
    private func hasFailed(_ error: StoreError) {
        guard error.code != .closed else {
            return logger.debug("Something was not written: the node stops")
        }
        logger.error("The store could not be written", metadata: ["error": "\(error)"])
        if !error.canGoOn { onBrokenStore("\(error)") }
    }

    /// How many events were written since the last call.
    package func takeEvents() -> Int { events.exchange(0, ordering: .relaxed) }

    /// Does a step of work on the index for searching, between batches.
    ///
    /// - Returns: whether more is due.
    package func searchStep() async -> Bool {
        await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
            writer.async { [self] in
                do throws(StoreError) {
                    let isMoreDue = try store.searchStep()
                    hasSearchFailed.store(false, ordering: .relaxed)
                    done.resume(returning: isMoreDue)
                } catch {
                    if error.code != .closed, !hasSearchFailed.exchange(true, ordering: .relaxed) {
                        logger.error("The index for searching could not be written", metadata: ["error": "\(error)"])
                    }
                    if !error.canGoOn, error.code != .closed { onBrokenStore("\(error)") }
                    done.resume(returning: false)
                }
            }
        }
    }

    /// Runs `work` on the queue that writes the store, and waits until it has finished.
    package func onWriteQueue(_ work: @escaping @Sendable () throws(StoreError) -> Void) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            writer.async { [self] in
                defer { done.resume() }
                do throws(StoreError) {
                    try work()
                } catch {
                    hasFailed(error)
                }
            }
        }
    }

    private func readEnvelope(_ id: ReadID, _ envelope: EnvelopeID) {
        reader.async { [self] in
            do throws(StoreError) {
                inbox.offer(.envelopeRead(id, try store.envelope(envelope)))
            } catch {
                logger.error("The store could not be read", metadata: ["error": "\(error)"])
                inbox.offer(.readFailed(id))
                if !error.canGoOn { onBrokenStore("\(error)") }
            }
        }
    }

    private func readMention(_ id: ReadID, _ file: FileID, _ conversation: ConversationID) {
        reader.async { [self] in
            do throws(StoreError) {
                inbox.offer(.mentionRead(id, try store.names(file, in: conversation)))
            } catch {
                logger.error("The store could not be read", metadata: ["error": "\(error)"])
                inbox.offer(.readFailed(id))
                if !error.canGoOn { onBrokenStore("\(error)") }
            }
        }
    }

    private func read(_ id: ReadID, _ request: ReadRequest) {
        reader.async { [self] in
            do throws(StoreError) {
                inbox.offer(.eventsRead(id, try store.signedEvents(request)))
            } catch {
                logger.error("The store could not be read", metadata: ["error": "\(error)"])
                inbox.offer(.readFailed(id))
                if !error.canGoOn { onBrokenStore("\(error)") }
            }
        }
    }
}
