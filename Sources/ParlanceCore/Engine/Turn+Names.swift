import ParlanceWire

extension Turn {
    /// A name as it will be shown, or an answer that says why it cannot be one.
    mutating func checkedName(_ name: String, _ id: CommandID) -> String? {
        if let fault = name.faultAsName {
            refuse(id, .text(.name(fault)))
            return nil
        }
        return name.withoutControlCharacters
    }
}
