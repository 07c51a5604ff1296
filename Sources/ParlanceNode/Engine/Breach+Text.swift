import ParlanceCore
import ParlanceWords

extension Breach {
    /// What the peer sent, for the log and for `doctor`.
    var text: Phrase {
        switch self {
        case .recordTooShort: Phrase("a record that is too short")
        case .recordType: Phrase("a record of an unknown type")
        case .recordAuthenticity: Phrase("a record that does not authenticate")
        case .firstRecord: Phrase("another first record than its certificate")
        case .secondCertificate: Phrase("a second certificate")
        case .endWithinFrame: Phrase("the end of the stream within a frame")
        case .frameTooLarge: Phrase("a frame that is too large")
        case .emptyFrame: Phrase("an empty frame")
        case .malformedFrame: Phrase("a malformed frame")
        case .frameBeforeHello: Phrase("a frame before Hello")
        case .secondHello: Phrase("a second Hello")
        case .helloPurpose: Phrase("a Hello with an unknown purpose")
        case .summaryConversation: Phrase("a Summary with a malformed conversation")
        case .summaryHash: Phrase("a Summary with a malformed hash")
        case .clockConversation: Phrase("a clock with a malformed conversation")
        case .clockEntries: Phrase("a clock with a malformed entry")
        case .eventsConversation: Phrase("events with a malformed conversation")
        case .eventsFirstHeader: Phrase("events without a first header that can be read")
        case .eventsPlace: Phrase("events in a malformed log")
        case .eventsAuthor: Phrase("events of an author who may not write in that conversation")
        case .eventsBranchName: Phrase("events that name a branch as their log")
        case .eventsChain: Phrase("events that do not continue their log")
        case .eventsBranchStart: Phrase("events of another branch than the one named")
        case .eventHeader: Phrase("a malformed event header")
        case .eventLog: Phrase("events of more than one log in one run")
        case .eventHeadDistance: Phrase("too many events without a signature")
        case .eventBodyHash: Phrase("a body of another event")
        case .eventBodyMissing: Phrase("an event without its body")
        case .eventSignatureLength: Phrase("a malformed signature of an event")
        case .eventSignature: Phrase("a wrong signature of an event")
        case .eventsUnsigned: Phrase("events without a signature at the end")
        case .membershipUnsigned: Phrase("a membership event without a signature")
        case .inviteConversation: Phrase("an invitation with a malformed conversation")
        case .inviteEvent: Phrase("an invitation with an event that is not of its membership")
        case .forkFields: Phrase("a malformed proof of a fork")
        case .forkHeader: Phrase("a proof of a fork with a malformed header")
        case .forkLog: Phrase("a proof of a fork with events of another log")
        case .forkChain: Phrase("a proof of a fork with a branch that does not chain")
        case .forkSignature: Phrase("a proof of a fork with a wrong signature")
        case .forkBranches: Phrase("a proof of a fork with branches that do not part at one event")
        case .wantFields: Phrase("a malformed Want")
        case .bodiesWantedFields: Phrase("a malformed BodiesWanted")
        case .bodiesFields: Phrase("malformed Bodies")
        case .bodySize: Phrase("a body that is too large")
        case .watermarksConversation: Phrase("watermarks with a malformed conversation")
        case .watermarkFields: Phrase("a malformed watermark")
        case .watermarkSignature: Phrase("a wrong signature of a watermark")
        case .contactRequestSize: Phrase("a contact request that is too long")
        case .contactRequestFields: Phrase("a malformed contact request")
        case .contactAnswerFields: Phrase("a contact answer of or for somebody else")
        case .contactAnswerSignature: Phrase("a wrong signature of a contact answer")
        case .pictureWantedFields: Phrase("a malformed question for a picture")
        case .pictureFields: Phrase("a malformed picture of its user")
        case .pictureSignature: Phrase("a wrong signature of a picture of its user")
        case .prekeysFields, .prekeysSignature, .depositFields, .depositedFields, .handOverFields, .takenFields,
            .takenSignature:
            textAboutCouriers
        case .addressesFields, .addressesSignature, .workspaceKeyFields, .charterEventsFields,
            .helloInvitation:
            textAboutWorkspaces
        case .fullFields, .behindFields: Phrase("a malformed message about what is not taken at once")
        case .fileAskFields, .fileAskCount, .fileHeldFields, .fileStopFields, .fileWantFields, .fileWantCount,
            .filePieceFields, .filePieceUnasked:
            textAboutFiles
        }
    }

    private var textAboutCouriers: Phrase {
        switch self {
        case .prekeysFields: Phrase("malformed prekeys")
        case .prekeysSignature: Phrase("a wrong signature of prekeys")
        case .depositFields: Phrase("a malformed envelope to keep")
        case .depositedFields: Phrase("a malformed answer about an envelope")
        case .handOverFields: Phrase("an envelope that is malformed or for somebody else")
        case .takenFields: Phrase("a malformed receipt for an envelope")
        default: Phrase("a wrong signature of a receipt for an envelope")
        }
    }

    private var textAboutWorkspaces: Phrase {
        switch self {
        case .addressesFields: Phrase("malformed addresses")
        case .addressesSignature: Phrase("a wrong signature of addresses")
        case .workspaceKeyFields: Phrase("a malformed workspace key")
        case .helloInvitation: Phrase("a malformed proof of an invitation")
        default: Phrase("malformed events of the workspace's charter")
        }
    }

    private var textAboutFiles: Phrase {
        switch self {
        case .fileAskFields: Phrase("a malformed question for a file")
        case .fileAskCount: Phrase("questions for too many files at once")
        case .fileHeldFields: Phrase("a malformed answer about a file")
        case .fileStopFields: Phrase("a malformed end of a file")
        case .fileWantFields: Phrase("a request for pieces that a file does not have")
        case .fileWantCount: Phrase("requests for too many pieces of files at once")
        case .filePieceFields: Phrase("a malformed piece of a file")
        default: Phrase("a piece of a file that was not asked for")
        }
    }
}
