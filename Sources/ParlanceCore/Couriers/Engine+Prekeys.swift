import Foundation
import ParlanceSodium
import ParlanceWire

// Prekeys: one's own, that others are given, and theirs (couriers.md, "Prekeys").
extension Engine {
    /// What the peer did not take before, or has lost since, it is given in a moment.
    mutating func scheduleCourier(on id: LinkID) {
        turn.deadlines[.courier(id)] = turn.now.monotonic + Limits.courierDelayMilliseconds
    }

    /// A link has been up for a moment: the peer gets keys to which it can seal what it writes while one is away.
    mutating func courierDue(_ id: LinkID) {
        guard let link = links[id], !link.closing, link.helloReceived, peers[link.peer]?.isAccepted == true else {
            return
        }
        erasePrekeysAhead()
        let isNew = renewPrekeys(for: link.peer)
        if isNew || !turn.batch.prekeys.isEmpty || turn.writing?.prekeys.isEmpty == false {
            turn.whenDurable(.sendPrekeys(id))
        } else {
            sendPrekeys(on: id)
        }
        // What came before the peer had accepted this node it did not take.
        links[id]?.handingOver = nil
        handOverNext(on: id)
        if mayCarry(link) { considerDeposits() }
    }

    /// - Returns: whether there are keys that were not there before.
    private mutating func renewPrekeys(for peer: PeerID) -> Bool {
        var made: [OwnPrekey] = []
        if !prekeys.values.contains(where: { $0.peer == nil && isFresh($0) }) {
            made.append(contentsOf: newPrekey(nil))
        }
        let own = prekeys.values.count { $0.peer == peer }
        for _ in min(own, Limits.oneTimePrekeys)..<Limits.oneTimePrekeys {
            made.append(contentsOf: newPrekey(peer))
        }
        guard !made.isEmpty else { return false }
        for key in made { prekeys[key.id] = key }
        turn.batch.prekeys += made
        scheduleErasure()
        return true
    }

    private mutating func newPrekey(_ peer: PeerID?) -> [OwnPrekey] {
        (try? OwnPrekey(secret: keySource.next(), made: turn.now.wall, peer: peer)).map { [$0] } ?? []
    }

    private func isFresh(_ key: OwnPrekey) -> Bool {
        (-Limits.clockSkewMilliseconds..<Limits.prekeyMilliseconds).contains(turn.now.wall - key.made)
    }

    /// Keys that say they are made later than now: this machine's clock was ahead. Nobody would seal to them until then, nor
    /// would they be erased in time.
    private var prekeysAhead: [OwnPrekey] {
        prekeys.values.filter { $0.made - turn.now.wall > Limits.clockSkewMilliseconds }
    }

    private mutating func erasePrekeysAhead() {
        clockWentBack = howFarClockWentBack
        erasePrekeys(prekeysAhead.map(\.id))
    }

    /// How far this machine's clock was once ahead of what it says now, as its own keys show; `nil` if they show nothing.
    var howFarClockWentBack: Int64? {
        let shown = prekeysAhead.map(\.made).max().map { $0 - turn.now.wall }
        return [clockWentBack, shown].compactMap { $0 }.max()
    }

    mutating func sendPrekeys(on id: LinkID) {
        guard let link = links[id], !link.closing,
            let daily = prekeys.values.filter({ $0.peer == nil && isFresh($0) })
                .max(by: { ($0.made, $0.id) < ($1.made, $1.id) })
        else { return }
        var frame = WirePrekeys()
        frame.daily = Data(daily.pair.publicKey)
        frame.made = UInt64(clamping: daily.made)
        frame.signature = Data(turn.own.signer.sign(Self.bytesToSign(frame)))
        let own = prekeys.values.filter { $0.peer == link.peer }.sorted { ($0.made, $0.id) < ($1.made, $1.id) }
        frame.oneTime = own.prefix(Limits.oneTimePrekeys).map { Data($0.pair.publicKey) }
        send(.prekeys(frame), on: id)
    }

    private static func bytesToSign(_ frame: WirePrekeys) -> [UInt8] {
        [Domain.prekey] + [UInt8](frame.daily) + frame.made.bigEndianBytes
    }

    mutating func prekeysReceived(_ frame: WirePrekeys, on id: LinkID) {
        let bytes = frame.encodedBytes()
        // What is kept was found to be signed when it came.
        guard let link = links[id], let peer = peers[link.peer], peer.isAccepted, peer.record.prekeys != bytes else {
            return
        }
        guard frame.daily.count == Bytes32.count, frame.oneTime.count <= Limits.oneTimePrekeys,
            frame.oneTime.allSatisfy({ $0.count == Bytes32.count }), frame.made <= UInt64(Int64.max)
        else { return breakLink(id, .prekeysFields) }
        guard Ed25519.verify([UInt8](frame.signature), of: Self.bytesToSign(frame), by: link.peer.bytes) else {
            return breakLink(id, .prekeysSignature)
        }
        // Keys of a clock that is ahead serve nobody until then: those that serve now stay.
        guard isUsable(frame) || usablePrekeys(of: link.peer) == nil else { return }
        let used = oneTimeUsed(for: link.peer)
        var fresh = frame
        fresh.oneTime.removeAll { used.contains([UInt8]($0)) }
        peers[link.peer]?.record.prekeys = used.isEmpty ? bytes : fresh.encodedBytes()
        turn.save(link.peer, lazily: true)
    }

    /// The keys of a peer to which an envelope can be sealed now; `nil` if there are none, or they are too old.
    func usablePrekeys(of peer: PeerID) -> (daily: [UInt8], oneTime: [[UInt8]], expires: Int64)? {
        guard let record = peers[peer]?.record, let bytes = record.prekeys, let frame = WirePrekeys(decoding: bytes)
        else {
            return nil
        }
        guard isUsable(frame) else { return nil }
        return ([UInt8](frame.daily), frame.oneTime.map { [UInt8]($0) }, expiry(of: frame))
    }

    /// The one-time keys of a peer with which envelopes are sealed that couriers hold, or are asked to hold.
    private func oneTimeUsed(for peer: PeerID) -> Set<[UInt8]> {
        let asked = links.values.flatMap(\.depositing.values).filter { $0.recipient == peer }
        return Set((asked.map(\.record) + (peers[peer]?.record.deposits ?? [])).map(\.oneTime))
    }

    private func expiry(of frame: WirePrekeys) -> Int64 {
        Int64(clamping: min(frame.made, UInt64(Int64.max) / 2)) + Limits.envelopeMilliseconds
    }

    /// Whoever lives ahead of its time does not get envelopes that outlive their key.
    private func isUsable(_ frame: WirePrekeys) -> Bool {
        let expires = expiry(of: frame)
        return expires > turn.now.wall
            && expires <= turn.now.wall + Limits.envelopeMilliseconds + Limits.prekeyMilliseconds
    }

    // Erasing.

    /// The next moment at which a secret or an envelope has served its time.
    mutating func scheduleErasure() {
        let secrets = prekeys.values.map { $0.made + Limits.prekeyKeptMilliseconds }.min()
        let next = [secrets, carried.values.map(\.expires).min()].compactMap { $0 }.min()
        turn.deadlines[.erasure] = next.map { turn.now.monotonic + max(0, $0 - turn.now.wall) }
    }

    mutating func erasureDue() {
        erasePrekeys(prekeys.values.filter { turn.now.wall - $0.made >= Limits.prekeyKeptMilliseconds }.map(\.id))
        eraseEnvelopes(carried.values.filter { $0.expires <= turn.now.wall }.map(\.id))
        scheduleErasure()
    }

    mutating func erasePrekeys(_ ids: [PrekeyID]) {
        for id in ids.sorted() where prekeys.removeValue(forKey: id) != nil {
            turn.batch.erasedPrekeys.append(id)
            turn.batch.isUrgent = true
        }
    }

    mutating func eraseEnvelopes(_ ids: [EnvelopeID]) {
        for id in ids.sorted() where carried.removeValue(forKey: id) != nil {
            turn.batch.erasedEnvelopes.append(id)
            turn.batch.isUrgent = true
        }
    }
}
