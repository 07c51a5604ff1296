#if os(Linux)
import CAvahiCore
import ParlanceWords

extension EmbeddedBackend {
    /// Publishes the announcement instead of the previous one; sends goodbyes for records that are no longer valid.
    /// The service is one group for all interfaces, and the addresses are one group for each interface, so a change of
    /// one interface causes no packets on the others. (The library sends no goodbye for a record while it has the same
    /// one elsewhere, so a service group for each interface would not work.) Call this on the library's thread or under
    /// its lock.
    func publish(on server: OpaquePointer) {
        guard let announcement else { return }
        let addresses = Dictionary(grouping: announcement.addresses, by: \.interface)
        let isSame = published?.isSame(but: announcement) ?? false
        for (interface, group) in addressGroups where !isSame || addresses[interface] == nil {
            avahi_s_entry_group_free(group)
            addressGroups[interface] = nil
        }
        if !isSame, let group = serviceGroup {
            avahi_s_entry_group_free(group)
            serviceGroup = nil
        }
        published = announcement
        for interface in addresses.keys.sorted() where addressGroups[interface] == nil {
            addressGroups[interface] = makeGroup(server) { group in
                addAddresses(addresses[interface] ?? [], of: announcement.name + ".local", to: group, server)
            }
        }
        if serviceGroup == nil { serviceGroup = makeGroup(server) { addService(announcement, to: $0, server) } }
    }

    /// Makes a group, lets the caller fill it (a negative code is a failure), and publishes it.
    private func makeGroup(_ server: OpaquePointer, fill: (OpaquePointer) -> Int32) -> OpaquePointer? {
        guard let group = newGroup(server) else {
            fail(Self.text(avahi_server_errno(server)))
            return nil
        }
        var code = fill(group)
        if code >= 0 { code = avahi_s_entry_group_commit(group) }
        if code < 0 { fail(Self.text(code)) }
        return group
    }

    private func newGroup(_ server: OpaquePointer) -> OpaquePointer? {
        avahi_s_entry_group_new(
            server,
            { server, _, state, context in
                guard let backend = EmbeddedBackend.from(context) else { return }
                switch state {
                case AVAHI_ENTRY_GROUP_COLLISION: backend.report(.nameTaken)
                case AVAHI_ENTRY_GROUP_FAILURE: backend.fail(EmbeddedBackend.text(avahi_server_errno(server)))
                default: break
                }
            },
            context
        )
    }

    private func addAddresses(
        _ addresses: [NetworkAddress],
        of host: String,
        to group: OpaquePointer,
        _ server: OpaquePointer
    ) -> Int32 {
        for address in addresses {
            var value = AvahiAddress()
            value.proto = Self.family(address.bytes.count == 4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6)
            withUnsafeMutableBytes(of: &value.data) { $0.copyBytes(from: address.bytes.prefix($0.count)) }
            let code = avahi_server_add_address(
                server,
                group,
                AvahiIfIndex(bitPattern: address.interface),
                Self.family(AVAHI_PROTO_UNSPEC),
                AVAHI_PUBLISH_NO_REVERSE,
                host,
                &value
            )
            if code < 0 { return code }
        }
        return 0
    }

    private func addService(_ announcement: Announcement, to group: OpaquePointer, _ server: OpaquePointer) -> Int32 {
        var text: UnsafeMutablePointer<AvahiStringList>?
        for string in announcement.text.strings.reversed() { text = avahi_string_list_add(text, string) }
        defer { avahi_string_list_free(text) }
        return avahi_server_add_service_strlst(
            server,
            group,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            Self.family(AVAHI_PROTO_UNSPEC),
            AvahiPublishFlags(rawValue: 0),
            announcement.name,
            serviceType,
            nil,
            announcement.name + ".local",
            announcement.port,
            text
        )
    }
}
#endif
