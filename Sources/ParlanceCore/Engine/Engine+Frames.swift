import ParlanceWire

extension Engine {
    /// Takes a received frame, and ends the link if it breaks a rule.
    mutating func frameReceived(_ frame: WireFrame, bytes: Int, on id: LinkID) {
        enforcing(on: id) { engine throws(Breach) in try engine.handle(frame, bytes: bytes, on: id) }
    }

    /// Does what follows from what a peer has sent, and ends its link at the first rule that this breaks.
    mutating func enforcing(on id: LinkID, _ follow: (inout Engine) throws(Breach) -> Void) {
        do throws(Breach) { try follow(&self) } catch { links.breakLink(id, error, &turn) }
    }

    /// Hands a frame to the code that knows it.
    private mutating func handle(_ frame: WireFrame, bytes: Int, on id: LinkID) throws(Breach) {
        takeUp(id, after: frame)
        guard let link = links[id] else { return }
        links.heard(frame, on: id, at: turn.now)
        if link.stage == .handingKeys { return try keysReceived(frame, on: id) }
        guard !link.closing else { return }
        guard let kind = frame.kind else { return }  // A kind of a later version.
        if case .hello(let hello) = kind { return try helloReceived(hello, on: id) }
        if case .bye(let bye) = kind { return byeReceived(bye, on: id) }
        // A blocked peer is sent `Refuse` without a preceding hello.
        if case .refuse(let refuse) = kind { return refuseReceived(refuse, on: id) }
        // So is somebody excluded the charter.
        if case .charterEvents(let events) = kind { return try charterReceived(events, on: id) }
        guard link.helloReceived else { throw .frameBeforeHello }
        switch kind {
        case .hello, .bye, .refuse, .charterEvents: break
        case .heartbeat(let heartbeat): heartbeatReceived(heartbeat, on: id)
        case .typing(let typing): typingReceived(typing, on: id)
        case .summary(let summary): try summaryReceived(summary, on: id)
        case .clock(let clock): try clockReceived(clock.conversation, clock.entries, isWhole: true, on: id)
        case .have(let have): try clockReceived(have.conversation, have.entries, isWhole: false, on: id)
        case .events(let events): try eventsReceived(events, on: id)
        case .watermarks(let watermarks): try watermarksReceived(watermarks, on: id)
        case .full(let full): try fullReceived(full, on: id)
        case .behind(let behind): try behindReceived(behind, on: id)
        case .invite(let invite): try inviteReceived(invite, on: id)
        case .want(let want): try wantReceived(want, on: id)
        case .bodiesWanted(let wanted): try bodiesWanted(wanted, on: id)
        case .fork(let fork): try forkReceived(fork, on: id)
        case .bodies(let bodies): try bodiesReceived(bodies, on: id)
        case .prekeys(let prekeys): try prekeysReceived(prekeys, on: id)
        case .deposit(let deposit): try depositReceived(deposit, on: id)
        case .deposited(let answer): try depositedReceived(answer, on: id)
        case .handOver(let envelope): try handOverReceived(envelope, on: id)
        case .taken(let taken): try takenReceived(taken, on: id)
        case .workspaceKey(let key): try workspaceKeyReceived(key, on: id)
        case .dialBack: dialBackReceived(on: id)
        case .dialedBack(let answer): dialedBackReceived(answer, on: id)
        case .addresses(let addresses): try addressesReceived(addresses, on: id)
        case .fileAsk(let ask): try transfers.askReceived(ask, on: id, filePeers, &turn)
        case .fileHeld(let held): try transfers.heldReceived(held, on: id, filePeers, &turn)
        case .fileStop(let stop): try transfers.stopReceived(stop, on: id, filePeers, &turn)
        case .fileWant(let want): try transfers.wantReceived(want, on: id, filePeers, &turn)
        case .filePiece(let piece): try transfers.pieceReceived(piece, on: id, links, &turn)
        case .pictureWanted(let wanted): try pictureWanted(wanted, on: id)
        case .picture(let picture): try pictureReceived(picture, on: id)
        case .contactRequest(let request):
            guard bytes <= Limits.requestBytes else { throw .contactRequestSize }
            try contactRequestReceived(request, on: id)
        case .contactAnswer(let answer): try contactAnswerReceived(answer, on: id)
        }
    }
}
