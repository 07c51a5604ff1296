package import ParlanceControl
package import ParlanceWords

// The words of the vocabulary as people read them. In English they are those of the protocol.

extension Trust {
    package var words: Phrase {
        switch self {
        case .unknown: Phrase("unknown")
        case .accepted: Phrase("accepted")
        case .verified: Phrase("verified")
        case .blocked: Phrase("blocked")
        }
    }
}

extension PresenceState {
    package var words: Phrase {
        switch self {
        case .online: Phrase("online")
        case .away: Phrase("away")
        case .busy: Phrase("busy")
        case .offline: Phrase("offline")
        }
    }

    /// The same of somebody whose link has just ended.
    package var pastWords: Phrase {
        switch self {
        case .online: Phrase("was online")
        case .away: Phrase("was away")
        case .busy: Phrase("was busy")
        case .offline: Phrase("offline")
        }
    }
}

extension MessageStatus {
    package var words: Phrase {
        switch self {
        case .staged: Phrase("waits")
        case .sending: Phrase("sending")
        case .sent: Phrase("sent")
        case .delivered: Phrase("delivered")
        case .read: Phrase("read")
        case .failed: Phrase("failed")
        }
    }
}

extension DiscoveryInfo.State {
    package var words: Phrase {
        switch self {
        case .starting: Phrase("starting")
        case .running: Phrase("running")
        case .unavailable: Phrase("unavailable")
        case .off: Phrase("off")
        }
    }
}
