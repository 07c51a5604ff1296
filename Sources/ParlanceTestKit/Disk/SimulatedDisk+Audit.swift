package import ParlanceAudit
import ParlanceRecords
package import ParlanceWire

extension SimulatedDisk {
    /// What people must see of a conversation, as the auditor computes it from the events here.
    ///
    /// - Parameter floors: through where the texts of each log were removed; by default as here.
    package func audit(
        _ conversation: ConversationID,
        _ membership: PlainMembership?,
        floors: [LogID: UInt64]? = nil
    ) -> PlainHistory {
        let logs = logs.filter { $0.key.conversation == conversation }
        let branches = branches.filter { $0.conversation == conversation }
        return PlainHistory(
            logs.values.flatMap(\.events),
            of: conversation,
            firsts: Dictionary(branches.map { ($0.first, $0.log) }) { first, _ in first },
            membership: membership,
            floors: floors ?? Dictionary(logs.map { ($0.key.log, $0.value.floor) }) { first, _ in first },
            givenUp: givenUp[conversation] ?? []
        )
    }
}
