import CSystemd

/// Reads or writes a D-Bus message in order (sd_bus_message_read_basic(3), sd_bus_message_append_basic(3)). A value of
/// another type is not read.
struct BusMessage {
    let pointer: OpaquePointer

    /// Whether it says that a call failed.
    var isError: Bool { sd_bus_message_is_method_error(pointer, nil) != 0 }

    /// The path of the object that sent it.
    var path: String? { sd_bus_message_get_path(pointer).map { String(cString: $0) } }

    /// The name of the method or signal.
    var member: String? { sd_bus_message_get_member(pointer).map { String(cString: $0) } }

    /// A string, or an object path with the type `o`.
    func text(_ type: Unicode.Scalar = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(pointer, Self.code(type), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    func bool() -> Bool? {
        // The library writes an int, so a Bool would be overrun.
        var value: Int32 = 0
        return sd_bus_message_read_basic(pointer, Self.code("b"), &value) > 0 ? value != 0 : nil
    }

    func unsigned() -> UInt32? {
        var value: UInt32 = 0
        return sd_bus_message_read_basic(pointer, Self.code("u"), &value) > 0 ? value : nil
    }

    /// The name of the error and what it says, if it is one.
    var error: String? {
        guard isError, let error = sd_bus_message_get_error(pointer)?.pointee, let name = error.name else { return nil }
        return String(cString: error.message ?? name)
    }

    /// The strings of a list.
    func texts() -> [String]? {
        within("a", of: "s") {
            var texts: [String] = []
            while let text = text() { texts.append(text) }
            return texts
        }
    }

    func number() -> UInt64? {
        var value: UInt64 = 0
        return sd_bus_message_read_basic(pointer, Self.code("t"), &value) > 0 ? value : nil
    }

    /// Reads what is in a container; `nil` if there is none of this type.
    func within<Value>(_ type: Unicode.Scalar, of contents: String, _ read: () -> Value?) -> Value? {
        guard sd_bus_message_enter_container(pointer, Self.code(type), contents) > 0 else { return nil }
        defer { sd_bus_message_exit_container(pointer) }
        return read()
    }

    /// Calls `read` with the name of each property of a map; it reads the value of type `v`, or calls `skip`.
    ///
    /// - Returns: whether there is a map.
    func properties(_ read: (String) -> Void) -> Bool {
        within("a", of: "{sv}") { () -> Bool? in
            while within("e", of: "sv", { text().map(read) }) != nil {}
            return true
        } ?? false
    }

    func skip() {
        sd_bus_message_skip(pointer, "v")
    }

    // Writing.

    func append(_ text: String) {
        // A NUL would end the string early.
        sd_bus_message_append_basic(pointer, Self.code("s"), text.replacing("\0", with: ""))
    }

    func append(_ value: UInt32) {
        withUnsafePointer(to: value) { _ = sd_bus_message_append_basic(pointer, Self.code("u"), $0) }
    }

    func append(_ value: Int32) {
        withUnsafePointer(to: value) { _ = sd_bus_message_append_basic(pointer, Self.code("i"), $0) }
    }

    func append(_ value: UInt8) {
        withUnsafePointer(to: value) { _ = sd_bus_message_append_basic(pointer, Self.code("y"), $0) }
    }

    /// Appends a container, with what `write` appends in it.
    func append(_ type: Unicode.Scalar, of contents: String, _ write: () -> Void) {
        sd_bus_message_open_container(pointer, Self.code(type), contents)
        write()
        sd_bus_message_close_container(pointer)
    }

    /// Appends an entry of a map from names to values of any type.
    func appendEntry(_ name: String, _ type: String, _ write: () -> Void) {
        append("e", of: "sv") {
            append(name)
            append("v", of: type, write)
        }
    }

    static func code(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }
}
