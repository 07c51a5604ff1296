import CSystemd
import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
import ParlanceNode
#endif

/// A connection to a D-Bus that never waits: it reads and writes when its socket is ready (sd-bus(3)).
///
/// Everything happens on the queue that it is given.
final class BusConnection: @unchecked Sendable {
    enum Place: Sendable {
        /// The bus of the machine; `DBUS_SYSTEM_BUS_ADDRESS` names another one.
        case system
        /// The bus of the user's session: the one that `DBUS_SESSION_BUS_ADDRESS` names, else `$XDG_RUNTIME_DIR/bus`, which
        /// the services of systemd's user manager have too.
        case session
    }

    /// How long a service may take to answer, in microseconds: it takes milliseconds.
    private static let patience: UInt64 = 10_000_000

    private let bus: OpaquePointer
    private let queue: DispatchQueue
    /// A copy of the bus's descriptor, so that the bus can be closed while the sources end.
    private let descriptor: Int32
    private var reading: (any DispatchSourceRead)?
    private var writing: (any DispatchSourceWrite)?
    private var timer: (any DispatchSourceTimer)?
    /// Called once, when the connection is lost.
    private var lost: (() -> Void)?
    private var handlers: [Handler] = []
    /// Whether a handler may be running: the library refuses to be called by one.
    private var isProcessing = false

    /// Connects; `nil` if there is no bus.
    init?(_ place: Place, _ queue: DispatchQueue, lost: @escaping () -> Void) {
        var opened: OpaquePointer?
        let result = place == .system ? sd_bus_open_system(&opened) : sd_bus_open_user(&opened)
        guard result >= 0, let opened else { return nil }
        sd_bus_set_exit_on_disconnect(opened, 0)
        let copy = fcntl(sd_bus_get_fd(opened), F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            sd_bus_close_unref(opened)
            return nil
        }
        (bus, self.queue, descriptor, self.lost) = (opened, queue, copy, lost)
        let reading = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        reading.setEventHandler { [weak self] in self?.process() }
        reading.setCancelHandler { closeDescriptor(copy) }
        reading.activate()
        self.reading = reading
    }

    /// Handles what has come, sends what waits, and sees to it that this happens again when it has to.
    func process() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isProcessing else { return }
        isProcessing = true
        var result: Int32
        repeat { result = reading == nil ? 0 : sd_bus_process(bus, nil) } while result > 0
        isProcessing = false
        guard reading != nil else { return }
        guard result == 0 else {
            let lost = lost
            close()
            lost?()
            return
        }
        watchForRoom()
        setTimer()
    }

    /// Closes the connection; nothing is called after that.
    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let reading else { return }
        writing?.cancel()
        timer?.cancel()
        reading.cancel()
        (self.reading, writing, timer, lost) = (nil, nil, nil, nil)
        sd_bus_close_unref(bus)
    }

    /// Waits until the socket takes more, if anything waits to be written.
    private func watchForRoom() {
        let wants = sd_bus_get_events(bus) & POLLOUT != 0
        if !wants {
            writing?.cancel()
            writing = nil
        } else if writing == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.process() }
            source.activate()
            writing = source
        }
    }

    private func setTimer() {
        var until: UInt64 = 0
        timer?.cancel()
        timer = nil
        guard sd_bus_get_timeout(bus, &until) > 0, until < .max / 1_000 else { return }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: DispatchTime(uptimeNanoseconds: until * 1_000))
        source.setEventHandler { [weak self] in self?.process() }
        source.activate()
        timer = source
    }

    /// Calls `take` with each message that fits a match rule of D-Bus.
    func match(_ rule: String, _ take: @escaping (BusMessage) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let handler = Handler(take)
        handlers.append(handler)
        sd_bus_add_match_async(bus, nil, rule, forward, { _, _, _ in 0 }, Unmanaged.passUnretained(handler).toOpaque())
    }

    /// Calls a method whose arguments are strings; `take` gets the answer, or the error. Does not start the service.
    func call(
        _ service: String,
        _ path: String,
        _ interface: String,
        _ method: String,
        _ arguments: [String],
        _ take: @escaping (BusMessage) -> Void
    ) {
        let method = BusMethod(service: service, path: path, interface: interface, name: method)
        call(method, { message in for argument in arguments { message.append(argument) } }, take)
    }

    /// Calls a method; `take` gets the answer, or the error, unless the connection is lost before.
    ///
    /// - Parameters:
    ///   - startsService: whether the bus starts the service if it does not run.
    ///   - write: appends the arguments.
    /// - Returns: false if there is nothing to wait for.
    @discardableResult
    func call(
        _ method: BusMethod,
        startsService: Bool = false,
        _ write: (BusMessage) -> Void = { _ in },
        _ take: @escaping (BusMessage) -> Void
    ) -> Bool {
        var message: OpaquePointer?
        let made = sd_bus_message_new_method_call(
            bus,
            &message,
            method.service,
            method.path,
            method.interface,
            method.name
        )
        guard made >= 0, let message else { return false }
        defer { sd_bus_message_unref(message) }
        sd_bus_message_set_auto_start(message, startsService ? 1 : 0)
        write(BusMessage(pointer: message))
        let handler = Unmanaged.passRetained(Handler(take))
        var slot: OpaquePointer?
        guard sd_bus_call_async(bus, &slot, message, forward, handler.toOpaque(), Self.patience) >= 0 else {
            handler.release()
            return false
        }
        // The bus owns the slot, and the slot the handler.
        sd_bus_slot_set_destroy_callback(slot) { data in
            if let data { Unmanaged<Handler>.fromOpaque(data).release() }
        }
        sd_bus_slot_set_floating(slot, 1)
        sd_bus_slot_unref(slot)
        return true
    }
}

/// A method of an object on the bus.
struct BusMethod {
    var service: String
    var path: String
    var interface: String
    var name: String
}

/// What to do with a message. The library keeps a pointer to it.
private final class Handler {
    let take: (BusMessage) -> Void

    init(_ take: @escaping (BusMessage) -> Void) {
        self.take = take
    }
}

/// Gives a message to the handler to which `data` points.
private func forward(
    _ message: OpaquePointer?,
    _ data: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let message, let data {
        Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().take(BusMessage(pointer: message))
    }
    return 0
}

private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
