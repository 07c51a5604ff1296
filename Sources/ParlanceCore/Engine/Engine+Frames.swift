import ParlanceWire

extension Engine {
    /// Hands a received frame to the room that handles it.
    mutating func frameReceived(_ frame: WireFrame, bytes: Int, on id: LinkID) {
        takeUp(id, after: frame)
        guard let link = links[id] else { return }
        if link.stage == .handingKeys { return keysReceived(frame, on: id) }
        guard !link.closing else { return }
        links.heard(frame, on: id, at: turn.now.monotonic)
        guard let kind = frame.kind else { return }  // A kind of a later version.
        if case .hello(let hello) = kind { return helloReceived(hello, on: id) }
        if case .bye(let bye) = kind { return byeReceived(bye, on: id) }
        // A blocked peer is sent `Refuse` without a preceding hello.
        if case .refuse(let refuse) = kind { return refuseReceived(refuse, on: id) }
        // So is somebody excluded the charter.
        if case .charterEvents(let events) = kind { return charterReceived(events, on: id) }
        guard link.helloReceived else { return breakLink(id, .frameBeforeHello) }
        switch kind {
        case .hello, .bye, .refuse, .charterEvents: break
        case .heartbeat(let heartbeat): heartbeatReceived(heartbeat, on: id)
        case .typing(let typing): typingReceived(typing, on: id)
        case .summary(let summary): summaryReceived(summary, on: id)
        case .clock(let clock): clockReceived(clock.conversation, clock.entries, isWhole: true, on: id)
        case .have(let have): clockReceived(have.conversation, have.entries, isWhole: false, on: id)
        case .events(let events): eventsReceived(events, on: id)
        case .watermarks(let watermarks): watermarksReceived(watermarks, on: id)
        case .full(let full): fullReceived(full, on: id)
        case .behind(let behind): behindReceived(behind, on: id)
        case .invite(let invite): inviteReceived(invite, on: id)
        case .want(let want): wantReceived(want, on: id)
        case .bodiesWanted(let wanted): bodiesWanted(wanted, on: id)
        case .fork(let fork): forkReceived(fork, on: id)
        case .bodies(let bodies): bodiesReceived(bodies, on: id)
        case .prekeys(let prekeys): prekeysReceived(prekeys, on: id)
        case .deposit(let deposit): depositReceived(deposit, on: id)
        case .deposited(let answer): depositedReceived(answer, on: id)
        case .handOver(let envelope): handOverReceived(envelope, on: id)
        case .taken(let taken): takenReceived(taken, on: id)
        case .workspaceKey(let key): workspaceKeyReceived(key, on: id)
        case .dialBack: dialBackReceived(on: id)
        case .dialedBack(let answer): dialedBackReceived(answer, on: id)
        case .addresses(let addresses): addressesReceived(addresses, on: id)
        case .fileAsk(let ask): end(id, for: transfers.askReceived(ask, on: id, filePeers, &turn))
        case .fileHeld(let held): end(id, for: transfers.heldReceived(held, on: id, filePeers, &turn))
        case .fileStop(let stop): end(id, for: transfers.stopReceived(stop, on: id, filePeers, &turn))
        case .fileWant(let want): end(id, for: transfers.wantReceived(want, on: id, filePeers, &turn))
        case .filePiece(let piece): end(id, for: transfers.pieceReceived(piece, on: id, links, &turn))
        case .pictureWanted(let wanted): pictureWanted(wanted, on: id)
        case .picture(let picture): pictureReceived(picture, on: id)
        case .contactRequest(let request):
            guard bytes <= Limits.requestBytes else { return breakLink(id, .contactRequestSize) }
            contactRequestReceived(request, on: id)
        case .contactAnswer(let answer): contactAnswerReceived(answer, on: id)
        }
    }
}
