import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// What stands above an exported conversation, made harmless.
struct ConversationHeading {
    let title: String
    /// Who takes part, and the topic.
    let about: [String]

    init(_ conversation: ConversationInfo) {
        title = VisibleText.line(NameText.marked(conversation.title, conversation.trust))
        var about: [String] = []
        switch conversation.kind {
        case .direct: about = [say("A direct conversation with \(VisibleText.line(conversation.peer ?? ""))")]
        case .group:
            let count = conversation.members ?? 0
            about = [count == 1 ? say("A group with 1 member") : say("A group with \(count) members")]
        }
        if let topic = conversation.topic { about.append(say("Topic: \(VisibleText.line(topic))")) }
        if let lifetime = DisappearText.words(conversation.disappear) { about.append(lifetime) }
        self.about = about
    }

    /// Whose export this is, and when it was made.
    static func export(_ about: ExportHeader, _ clock: LocalClock) -> String {
        let name = VisibleText.line(NameText.plain(about.name))
        let made = "\(clock.short(about.made)) \(clock.offsetText(about.made))"
        return say("Conversations of \(name), exported on \(made) from Parlance \(about.program)")
    }
}
