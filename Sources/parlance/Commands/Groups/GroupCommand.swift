import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance group ...`
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Create a group, and manage its members and title.",
        discussion: """
            Write to a group and read it as you do with a person: parlance send Crew Hello. Name it by its title, or by the \
            first 8 or more characters of its ID. 'parlance conversations' lists your groups.

            Examples: parlance group create Crew Bob Cleo
                      parlance group show Crew
                      parlance group add Crew Dan
            """,
        subcommands: [
            GroupCreateCommand.self, GroupShowCommand.self, GroupAddCommand.self, GroupRemoveCommand.self,
            GroupAdminCommand.self, GroupLeaveCommand.self, GroupRenameCommand.self, GroupTopicCommand.self,
        ]
    )
}

extension NodeCommand {
    /// Performs an operation on a group and shows the group that it replies with, or one sentence about it.
    func showGroup<Operation: ControlOperation>(
        _ operation: Operation,
        _ session: Session,
        _ lines: (GroupInfo) -> [String]
    ) async throws where Operation.Reply == GroupInfo {
        try await session.show(operation) { group in lines(group).map { VisibleText.line($0) } }
    }
}
