import CSystemd
import Dispatch
import Foundation
import Synchronization

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// A program that shows notifications (Desktop Notifications Specification 1.2), on a private bus: it keeps what it is asked
/// to show, and its user can click and close.
///
/// Everything happens on its queue.
final class SmallDesktop: @unchecked Sendable {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    /// One call of `Notify`.
    struct Shown: Equatable {
        var number: UInt32
        var replaced: UInt32
        var title: String
        var body: String
        var actions: [String]
        var category: String?
    }

    struct Record {
        /// Every call, the first one first.
        var calls: [Shown] = []
        /// What stands on the screen, by number.
        var screen: [UInt32: Shown] = [:]
        var closed: [UInt32] = []
    }

    let record = Mutex(Record())
    private let queue = DispatchQueue(label: "small desktop")
    private let bus: OpaquePointer
    private let source: any DispatchSourceRead
    private let capabilities: [String]
    private var last: UInt32 = 0
    private var refuses = false

    struct Refused: Error { let code: Int32 }

    init(address: String, capabilities: [String] = ["body", "actions", "body-markup"]) throws {
        var made: OpaquePointer?
        try Self.check(sd_bus_new(&made))
        guard let made else { throw Refused(code: 0) }
        bus = made
        self.capabilities = capabilities
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
                    return Unmanaged<SmallDesktop>.fromOpaque(data).takeUnretainedValue().answer(message)
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        )
        try Self.check(sd_bus_request_name(made, Self.name, 0))
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

    // What its user does, and how it is.

    /// Calls fail from now on, or do not.
    func refuse(_ refuses: Bool) {
        queue.sync { self.refuses = refuses }
    }

    func click(_ number: UInt32, _ action: String = "default") {
        queue.sync {
            signal("ActionInvoked") {
                $0.append(number)
                $0.append(action)
            }
        }
    }

    /// Somebody closes it, or its time is over.
    func dismiss(_ number: UInt32) {
        queue.sync {
            record.withLock { $0.screen[number] = nil }
            signal("NotificationClosed") {
                $0.append(number)
                $0.append(UInt32(2))
            }
        }
    }

    // Messages.

    private func answer(_ pointer: OpaquePointer) -> Int32 {
        let message = BusMessage(pointer: pointer)
        guard sd_bus_message_is_method_call(pointer, Self.name, nil) > 0 else { return 0 }
        if refuses, message.member == "Notify" {
            sd_bus_reply_method_errno(pointer, -EBUSY, nil)
            return 1
        }
        var reply: OpaquePointer?
        guard sd_bus_message_new_method_return(pointer, &reply) >= 0, let reply else { return 0 }
        defer { sd_bus_message_unref(reply) }
        let answer = BusMessage(pointer: reply)
        switch message.member {
        case "GetCapabilities": answer.append("a", of: "s") { for each in capabilities { answer.append(each) } }
        case "Notify": answer.append(show(message))
        case "CloseNotification":
            guard let number = message.unsigned() else { return 0 }
            record.withLock { record in
                record.screen[number] = nil
                record.closed.append(number)
            }
            signal("NotificationClosed") {
                $0.append(number)
                $0.append(UInt32(3))
            }
        default: return 0
        }
        sd_bus_send(bus, reply, nil)
        return 1
    }

    private func show(_ message: BusMessage) -> UInt32 {
        let app = message.text()
        let replaced = message.unsigned() ?? 0
        let (icon, title, body) = (message.text(), message.text() ?? "", message.text() ?? "")
        let actions = message.texts() ?? []
        var category: String?
        _ = message.properties { name in
            if name == "category" { category = message.within("v", of: "s") { message.text() } } else { message.skip() }
        }
        return record.withLock { record in
            var number = replaced
            if record.screen[replaced] == nil {
                last += 1
                number = last
            }
            let shown = Shown(
                number: number,
                replaced: replaced,
                title: title,
                body: body,
                actions: actions,
                category: app == "Parlance" && icon == "" ? category : nil
            )
            record.calls.append(shown)
            record.screen[number] = shown
            return number
        }
    }

    private func signal(_ member: String, _ body: (BusMessage) -> Void) {
        var message: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &message, Self.path, Self.name, member) >= 0, let message else { return }
        defer { sd_bus_message_unref(message) }
        body(BusMessage(pointer: message))
        sd_bus_send(bus, message, nil)
        sd_bus_flush(bus)
    }
}
