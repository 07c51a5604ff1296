import ParlanceCore
import ParlanceWire

// Names in traces and coverage.

extension WireFrame {
    var kindName: String {
        switch kind {
        case .hello: "hello"
        case .heartbeat: "heartbeat"
        case .typing: "typing"
        case .summary: "summary"
        case .clock: "clock"
        case .have: "have"
        case .events: "events"
        case .watermarks: "watermarks"
        case .refuse: "refuse"
        case .contactRequest: "contactRequest"
        case .contactAnswer: "contactAnswer"
        case .bye: "bye"
        case .invite: "invite"
        case .want: "want"
        case .bodiesWanted: "bodiesWanted"
        case .bodies: "bodies"
        case .fork: "fork"
        case .full: "full"
        case .behind: "behind"
        case .workspaceKey: "workspaceKey"
        case .charterEvents: "charterEvents"
        case .prekeys: "prekeys"
        case .deposit: "deposit"
        case .deposited: "deposited"
        case .handOver: "handOver"
        case .taken: "taken"
        case .dialBack: "dialBack"
        case .dialedBack: "dialedBack"
        case .addresses: "addresses"
        case .fileAsk: "fileAsk"
        case .fileHeld: "fileHeld"
        case .fileStop: "fileStop"
        case .fileWant: "fileWant"
        case .filePiece: "filePiece"
        case .pictureWanted: "pictureWanted"
        case .picture: "picture"
        case nil: "unknown"
        }
    }

    var coverageName: String { "frame \(kindName)" }
}

extension Notice {
    var kindName: String {
        switch self {
        case .message: "message"
        case .unwanted: "unwanted"
        case .withdrawn: "withdrawn"
        case .voided: "voided"
        case .removed: "removed"
        case .delivery: "delivery"
        case .peer: "peer"
        case .gone: "gone"
        case .typing: "typing"
        case .request: "request"
        case .preference: "preference"
        case .changed: "changed"
        case .waiting: "waiting"
        case .departed: "departed"
        case .group: "group"
        case .transfer: "transfer"
        case .upload: "upload"
        case .workspace: "workspace"
        }
    }

    var coverageName: String { "notice \(kindName)" }
}

extension Report {
    var line: String {
        switch self {
        case .breach(let rule, _): rule.rawValue
        case .forkedLog: "forkedLog"
        case .rolledBack: "rolledBack"
        case .quotaUsed: "quotaUsed"
        case .behind: "behind"
        }
    }
}

extension LinkEnd {
    var kindName: String {
        switch self {
        case .closed: "closed"
        case .cutOff: "cut off"
        case .broken: "broken"
        case .congested: "congested"
        }
    }
}

extension Command {
    var kindName: String {
        switch self {
        case .send: "send"
        case .reply: "reply"
        case .edit: "edit"
        case .delete: "delete"
        case .react: "react"
        case .createGroup: "createGroup"
        case .changeGroup: "changeGroup"
        case .findConversation: "findConversation"
        case .findGroup: "findGroup"
        case .listConversations: "listConversations"
        case .listForks: "listForks"
        case .examine: "examine"
        case .dialBack: "dialBack"
        case .workspace: "workspace"
        case .setCourier: "setCourier"
        case .carriage: "carriage"
        case .pack: "pack"
        case .takeParcel: "takeParcel"
        case .cancel: "cancel"
        case .retry: "retry"
        case .read: "read"
        case .accept: "accept"
        case .decline: "decline"
        case .block: "block"
        case .unblock: "unblock"
        case .verify: "verify"
        case .forget: "forget"
        case .allow: "allow"
        case .setAlias: "setAlias"
        case .setName: "setName"
        case .setPicture: "setPicture"
        case .setPresence: "setPresence"
        case .setPreference: "setPreference"
        case .clear: "clear"
        case .setLifetime: "setLifetime"
        case .typing: "typing"
        case .find: "find"
        case .listPeers: "listPeers"
        case .status: "status"
        case .listDeliveries: "listDeliveries"
        case .fetch: "fetch"
        case .pauseFile: "pauseFile"
        case .resumeFile: "resumeFile"
        case .cancelFile: "cancelFile"
        case .retryFile: "retryFile"
        case .transfers: "transfers"
        }
    }

    /// One line for a trace.
    var summary: String {
        switch self {
        case .send(let who, let text, _): "send to \(who.prefix(8)) \"\(text.prefix(30))\""
        case .cancel(let log, let conversation, let sequence, _): "cancel \(conversation) \(log) \(sequence)"
        case .read(let who, _), .accept(let who), .decline(let who), .block(let who), .unblock(let who),
            .verify(let who, _), .forget(let who), .typing(let who), .find(let who):
            "\(kindName) \(who.prefix(8))"
        case .createGroup(let title, let who, _, _): "creates \"\(title)\" with \(who.map { $0.prefix(8) })"
        case .changeGroup(let who, let change): "changes \(who.prefix(8)): \(change)"
        case .pack(let request): "packs for \(request.who.prefix(8)), slot \(request.slot)"
        case .takeParcel(_, let slot, let who): "takes from \(who.prefix(8)), slot \(slot)"
        case .clear(let who, let deletes): "\(deletes ? "deletes" : "clears") \(who.prefix(8))"
        case .setPreference(let who, let change): "sets \(who.prefix(8)): \(change)"
        case .setLifetime(let who, let seconds): "lets messages of \(who.prefix(8)) stay \(seconds) s"
        case .reply(let message, let text, _): "replies \"\(text)\" to \(message.event.id)"
        case .edit(let message, let text): "edits \(message.event.id) to \"\(text)\""
        case .delete(let message): "deletes \(message.event.id)"
        default: kindName
        }
    }
}

extension Input {
    var kindName: String {
        switch self {
        case .sighted: "sighted"
        case .sightLost: "sightLost"
        case .networkChanged: "networkChanged"
        case .machineAddresses: "machineAddresses"
        case .ownAddresses: "ownAddresses"
        case .linkOpened: "linkOpened"
        case .frameReceived: "frameReceived"
        case .linkClosed: "linkClosed"
        case .linkStalled: "linkStalled"
        case .linkAnswers: "linkAnswers"
        case .dialFailed: "dialFailed"
        case .commandGiven: "commandGiven"
        case .userSeen: "userSeen"
        case .probed: "probed"
        case .mentionRead: "mentionRead"
        case .textsDamaged: "textsDamaged"
        case .shelf: "shelf"
        case .persisted: "persisted"
        case .persistFailed: "persistFailed"
        case .eventsRead: "eventsRead"
        case .envelopeRead: "envelopeRead"
        case .readFailed: "readFailed"
        case .settingsChanged: "settingsChanged"
        case .fileRateChanged: "fileRateChanged"
        case .quotaChanged: "quotaChanged"
        case .behind: "behind"
        case .deadlinePassed: "deadlinePassed"
        }
    }
}
