#if os(Linux)
import CAvahiCore
import ParlanceWords

// All of this runs on the library's thread, except `makeBrowser`, which runs before that thread starts.
extension EmbeddedBackend {
    func makeBrowser(_ server: OpaquePointer) -> OpaquePointer? {
        avahi_s_service_browser_new(
            server,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            Self.family(AVAHI_PROTO_UNSPEC),
            serviceType,
            nil,
            AvahiLookupFlags(rawValue: 0),
            { _, interface, family, event, name, _, _, _, context in
                EmbeddedBackend.from(context)?.browsed(event, interface, family, name)
            },
            context
        )
    }

    static func family(_ value: Int) -> AvahiProtocol { AvahiProtocol(truncatingIfNeeded: value) }

    private func browsed(
        _ event: AvahiBrowserEvent,
        _ interface: AvahiIfIndex,
        _ family: AvahiProtocol,
        _ name: UnsafePointer<CChar>?
    ) {
        if event == AVAHI_BROWSER_FAILURE { return fail(Phrase("looking for peers failed")) }
        guard let place = place(name, interface, family) else { return }
        if event == AVAHI_BROWSER_NEW {
            queue.appeared(place)
            askNext()
        } else if event == AVAHI_BROWSER_REMOVE {
            queue.vanished(place)
            report(.vanished(place))
        }
    }

    /// Our announcements come back to us, under every name that they had.
    private func place(
        _ name: UnsafePointer<CChar>?,
        _ interface: AvahiIfIndex,
        _ family: AvahiProtocol
    ) -> ServiceRecord.Place? {
        guard let name = name.map({ String(cString: $0) }), let own = announcement?.ownName, !name.hasPrefix(own) else {
            return nil
        }
        return ServiceRecord.Place(instance: name, interface: UInt32(clamping: interface), family: family)
    }

    private func askNext() {
        while let server, let place = queue.next() {
            let resolver = avahi_s_service_resolver_new(
                server,
                AvahiIfIndex(clamping: place.interface),
                place.family,
                place.instance,
                serviceType,
                "local",
                place.family,
                AvahiLookupFlags(rawValue: 0),
                { resolver, interface, family, event, name, _, _, _, address, port, text, _, context in
                    if let backend = EmbeddedBackend.from(context) {
                        let isFound = event == AVAHI_RESOLVER_FOUND
                        backend.answered(isFound, interface, family, name, isFound ? address : nil, port, text)
                    }
                    avahi_s_service_resolver_free(resolver)
                },
                context
            )
            guard resolver != nil else {
                _ = queue.ended(place, wasAnswered: false)
                return
            }
        }
    }

    private func answered(
        _ isFound: Bool,
        _ interface: AvahiIfIndex,
        _ family: AvahiProtocol,
        _ name: UnsafePointer<CChar>?,
        _ address: UnsafePointer<AvahiAddress>?,
        _ port: UInt16,
        _ text: UnsafeMutablePointer<AvahiStringList>?
    ) {
        defer { askNext() }
        guard let place = place(name, interface, family) else { return }
        guard queue.ended(place, wasAnswered: isFound), let address else { return }
        let count = address.pointee.proto == Self.family(AVAHI_PROTO_INET) ? 4 : 16
        let bytes = withUnsafeBytes(of: address.pointee.data) { Array($0.prefix(count)) }
        report(.resolved(ServiceRecord(place: place, port: port, text: Self.strings(text), addresses: [bytes])))
    }

    private static func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var next = list
        // One more than is allowed, so that the reader notices that there are too many.
        while let node = next, strings.count <= ServiceText.maximumStrings {
            strings.append(
                Array(
                    UnsafeBufferPointer(
                        start: avahi_string_list_get_text(node),
                        count: avahi_string_list_get_size(node)
                    )
                )
            )
            next = avahi_string_list_get_next(node)
        }
        return strings
    }
}
#endif
