// To which conversation events belong, and what they cost while they wait.

extension StatusEvent {
    package var conversationID: String? { conversation }
}

extension ReachedEvent {
    package var conversationID: String? { conversation }
}

extension FailedEvent {
    package var conversationID: String? { conversation }
}

extension RemovedEvent {
    package var conversationID: String? { conversation }

    package var cost: Int { ControlLimits.eventCostBytes + ids.reduce(0) { $0 + $1.utf8.count } }
}

extension FileEvent {
    package var conversationID: String? { conversation }

    package var cost: Int { ControlLimits.eventCostBytes + sources.count * ControlLimits.personCostBytes }
}

extension UploadEvent {
    package var cost: Int { ControlLimits.eventCostBytes + ControlLimits.personCostBytes }
}

extension AnswerEvent {
    package var cost: Int { ControlLimits.eventCostBytes + turn.utf8.count + text.utf8.count }
}

extension TypingEvent {
    package var conversationID: String? { conversation }
}

extension GroupInfo {
    package var conversationID: String? { id }
    package var cost: Int { ControlLimits.eventCostBytes + members.count * ControlLimits.personCostBytes }
}

extension PreferenceInfo {
    package var conversationID: String? { conversation }
}
