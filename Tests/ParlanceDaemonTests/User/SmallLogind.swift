import CSystemd
import Dispatch
import Foundation

/// What of logind a daemon asks (org.freedesktop.login1(5)), on a private bus: one user with at most one desktop session.
///
/// Everything happens on its queue.
final class SmallLogind: @unchecked Sendable {
    private static let manager = "/org/freedesktop/login1"
    private static let path = "/org/freedesktop/login1/session/_33"
    private static let session = "org.freedesktop.login1.Session"
    private static let properties = "org.freedesktop.DBus.Properties"

    private let queue = DispatchQueue(label: "small logind")
    private let bus: OpaquePointer
    private let source: any DispatchSourceRead
    private var hasSession = false
    private var isIdle = false
    private var isLocked = false
    /// Since when it is idle, in seconds.
    private var idleFor: UInt64 = 0

    struct Refused: Error { let code: Int32 }

    init(address: String) throws {
        var made: OpaquePointer?
        try Self.check(sd_bus_new(&made))
        guard let made else { throw Refused(code: 0) }
        bus = made
        try Self.check(sd_bus_set_address(made, address))
        try Self.check(sd_bus_set_bus_client(made, 1))
        try Self.check(sd_bus_start(made))
        source = DispatchSource.makeReadSource(fileDescriptor: sd_bus_get_fd(made), queue: queue)
        try Self.check(
            sd_bus_add_filter(
                made,
                nil,
                { message, data, _ in
                    guard let message, let data else { return 0 }
                    return Unmanaged<SmallLogind>.fromOpaque(data).takeUnretainedValue().answer(message)
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        )
        try Self.check(sd_bus_request_name(made, "org.freedesktop.login1", 0))
        source.setEventHandler { while sd_bus_process(made, nil) > 0 {} }
        source.activate()
        queue.sync { while sd_bus_process(made, nil) > 0 {} }
    }

    /// Ends it: its name is free on the bus.
    func stop() {
        queue.sync {
            source.cancel()
            sd_bus_flush_close_unref(bus)
        }
    }

    private static func check(_ code: Int32) throws {
        guard code >= 0 else { throw Refused(code: code) }
    }

    // What the desktop does.

    func logIn() {
        queue.sync {
            hasSession = true
            signal("SessionNew", from: Self.manager, "org.freedesktop.login1.Manager") { self.append(["s3"], to: $0) }
        }
    }

    func logOut() {
        queue.sync {
            hasSession = false
            signal("SessionRemoved", from: Self.manager, "org.freedesktop.login1.Manager") {
                self.append(["s3"], to: $0)
            }
        }
    }

    /// - Parameter idle: for how many seconds there has been no input; `nil`: there is.
    func set(idle: UInt64?, locked: Bool = false) {
        queue.sync {
            (isIdle, idleFor, isLocked) = (idle != nil, idle ?? 0, locked)
            signal("PropertiesChanged", from: Self.path, Self.properties) { message in
                self.append(["s\(Self.session)"], to: message)
                self.container("a", "{sv}", of: message) {}
                self.container("a", "s", of: message) {}
            }
        }
    }

    // Messages.

    private func answer(_ message: OpaquePointer) -> Int32 {
        guard sd_bus_message_is_method_call(message, Self.properties, nil) > 0 else { return 0 }
        var reply: OpaquePointer?
        guard sd_bus_message_new_method_return(message, &reply) >= 0, let reply else { return 0 }
        defer { sd_bus_message_unref(reply) }
        switch String(cString: sd_bus_message_get_path(message)) {
        case "/org/freedesktop/login1/user/self":
            container("v", "(so)", of: reply) {
                container("r", "so", of: reply) {
                    append(hasSession ? ["s3", "o\(Self.path)"] : ["s", "o/"], to: reply)
                }
            }
        case Self.path: container("a", "{sv}", of: reply) { appendHints(to: reply) }
        default: return 0
        }
        sd_bus_send(bus, reply, nil)
        return 1
    }

    private func appendHints(to reply: OpaquePointer) {
        let now = UInt64(Date().timeIntervalSince1970) * 1_000_000
        property("Name", "s", to: reply) { append(["sme"], to: reply) }
        property("IdleHint", "b", to: reply) { append(isIdle, to: reply) }
        property("LockedHint", "b", to: reply) { append(isLocked, to: reply) }
        property("IdleSinceHint", "t", to: reply) { append(now - idleFor * 1_000_000, to: reply) }
    }

    private func signal(
        _ member: String,
        from path: String,
        _ interface: String,
        _ body: (OpaquePointer) -> Void
    ) {
        var message: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
        defer { sd_bus_message_unref(message) }
        body(message)
        sd_bus_send(bus, message, nil)
        sd_bus_flush(bus)
    }

    private func property(_ name: String, _ type: String, to message: OpaquePointer, _ value: () -> Void) {
        container("e", "sv", of: message) {
            append(["s\(name)"], to: message)
            container("v", type, of: message, value)
        }
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, of message: OpaquePointer, _ body: () -> Void) {
        sd_bus_message_open_container(message, code(type), contents)
        body()
        sd_bus_message_close_container(message)
    }

    /// Appends strings, each after the letter of its type.
    private func append(_ texts: [String], to message: OpaquePointer) {
        for text in texts {
            guard let type = text.unicodeScalars.first else { continue }
            sd_bus_message_append_basic(message, code(type), String(text.dropFirst()))
        }
    }

    private func append(_ value: Bool, to message: OpaquePointer) {
        var number: Int32 = value ? 1 : 0
        sd_bus_message_append_basic(message, code("b"), &number)
    }

    private func append(_ value: UInt64, to message: OpaquePointer) {
        var number = value
        sd_bus_message_append_basic(message, code("t"), &number)
    }

    private func code(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }
}
