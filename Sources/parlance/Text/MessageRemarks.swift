import ParlanceControl
import ParlanceWords

/// What is said of a message beside its text and its status.
enum MessageRemarks {
    static func of(_ message: MessageInfo) -> [(role: TextStyle.Role, words: String)] {
        var remarks: [(TextStyle.Role, String)] = []
        if message.versions != nil, message.deleted == nil { remarks.append((.faint, say("(edited)"))) }
        if message.mentionsMe == true, message.deleted == nil { remarks.append((.strong, say("(mentions you)"))) }
        if message.waits == true { remarks.append((.faint, say("(waits for an earlier message)"))) }
        return remarks
    }
}
