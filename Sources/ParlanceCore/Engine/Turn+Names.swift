import ParlanceRecords
import ParlanceWire

extension Turn {
    /// The name without control characters, and without spaces at its ends; `nil` if the name is invalid, which refuses the command.
    mutating func checkedName(_ name: String, _ id: CommandID) -> String? {
        if let fault = name.faultAsName {
            refuse(id, .text(.name(fault)))
            return nil
        }
        let shown = name.withoutControlCharacters.trimmed
        guard !shown.isReservedName else {
            refuse(id, .text(.reservedName(shown)))
            return nil
        }
        return shown
    }
}
