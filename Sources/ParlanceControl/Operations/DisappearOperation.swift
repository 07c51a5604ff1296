/// `disappear`: says how long messages are to stay for everybody in a conversation, or asks for it.
package struct DisappearOperation: ControlOperation {
    package typealias Reply = ConversationInfo
    package static let method = "disappear"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// 0, or a number of `RetainOperation.lengths`; absent to ask.
    package var seconds: Int?

    package init(who: String, seconds: Int? = nil) {
        self.who = who
        self.seconds = seconds
    }
}
