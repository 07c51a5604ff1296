import ParlanceCore

extension Breach {
    /// What the peer sent, for the log and for `doctor`.
    var text: String {
        switch self {
        case .recordTooShort: "a record that is too short"
        case .recordType: "a record of an unknown type"
        case .recordAuthenticity: "a record that does not authenticate"
        case .firstRecord: "another first record than its certificate"
        case .secondCertificate: "a second certificate"
        case .endWithinFrame: "the end of the stream within a frame"
        case .frameTooLarge: "a frame that is too large"
        case .emptyFrame: "an empty frame"
        case .malformedFrame: "a malformed frame"
        case .frameBeforeHello: "a frame before Hello"
        case .secondHello: "a second Hello"
        case .helloPurpose: "a Hello with an unknown purpose"
        case .summaryConversation: "a Summary with a malformed conversation"
        case .clockConversation: "a clock with a malformed conversation"
        case .clockEntries: "a clock with a malformed entry"
        default: eventText ?? otherText
        }
    }

    private var eventText: String? {
        switch self {
        case .eventsConversation: "events with a malformed conversation"
        case .eventsFirstHeader: "events without a first header that can be read"
        case .eventsAuthor: "events of an author who may not write in that conversation"
        case .eventsBranchName: "events that name a branch as their log"
        case .eventsChain: "events that do not continue their log"
        case .eventsBranchStart: "events of another branch than the one named"
        case .eventHeader: "a malformed event header"
        case .eventLog: "events of more than one log in one run"
        case .eventHeadDistance: "too many events without a signature"
        case .eventBodyHash: "a body of another event"
        case .eventBodyMissing: "an event without its body"
        case .eventSignatureLength: "a malformed signature of an event"
        case .eventSignature: "a wrong signature of an event"
        case .eventsUnsigned: "events without a signature at the end"
        case .membershipUnsigned: "a membership event without a signature"
        case .inviteConversation: "an invitation with a malformed conversation"
        case .inviteEvent: "an invitation with an event that is not of its membership"
        case .forkFields: "a malformed proof of a fork"
        case .forkHeader: "a proof of a fork with a malformed header"
        case .forkLog: "a proof of a fork with events of another log"
        case .forkChain: "a proof of a fork with a branch that does not chain"
        case .forkSignature: "a proof of a fork with a wrong signature"
        case .forkBranches: "a proof of a fork with branches that do not part at one event"
        default: nil
        }
    }

    private var otherText: String {
        switch self {
        case .wantFields: "a malformed Want"
        case .bodiesWantedFields: "a malformed BodiesWanted"
        case .bodiesFields: "malformed Bodies"
        case .bodySize: "a body that is too large"
        case .watermarksConversation: "watermarks with a malformed conversation"
        case .watermarkFields: "a malformed watermark"
        case .watermarkSignature: "a wrong signature of a watermark"
        case .contactRequestSize: "a contact request that is too long"
        case .contactRequestFields: "a malformed contact request"
        case .contactAnswerFields: "a contact answer of or for somebody else"
        case .contactAnswerSignature: "a wrong signature of a contact answer"
        case .prekeysFields: "malformed prekeys"
        case .prekeysSignature: "a wrong signature of prekeys"
        case .depositFields: "a malformed envelope to keep"
        case .depositedFields: "a malformed answer about an envelope"
        case .handOverFields: "an envelope that is malformed or for somebody else"
        case .takenFields: "a malformed receipt for an envelope"
        case .takenSignature: "a wrong signature of a receipt for an envelope"
        case .addressesFields: "malformed addresses"
        case .addressesSignature: "a wrong signature of addresses"
        case .workspaceKeyFields: "a malformed workspace key"
        default: rawValue
        }
    }
}
