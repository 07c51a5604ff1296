/// The words of a clause that make it an action.
struct Trigger: Equatable {
    enum Kind: Equatable {
        case request, order, promise, duty, assignment
    }

    enum Assignee: Equatable {
        case sender, reader, nobody
        case member(String)
    }

    var kind: Kind
    /// The first token of the task.
    var start: Int
    var assignee: Assignee
    /// The token after the task, or nil if the task goes on to the end of the clause.
    var end: Int?
    /// Whether it is an action only with a deadline.
    var needsDeadline = false
    /// Whether it addresses everybody, so that no single reader is meant.
    var isOpen = false
    /// The token of a German verb that goes to the end of the task as an infinitive, or nil.
    var verb: Int?
}

/// What a clause is to the clauses beside it.
enum ClauseHead: Equatable {
    /// The clause starts an action.
    case trigger(Trigger)
    /// The clause is a name and nothing else.
    case name(String)
    /// The clause says something of its own and ends the task before it.
    case statement
    /// The clause goes on with the task before it.
    case rest
}
