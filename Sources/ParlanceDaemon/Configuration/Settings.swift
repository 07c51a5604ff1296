package import Logging
import ParlanceControl
package import ParlanceCore
package import ParlanceNetwork
import ParlanceProfile
import ParlanceWeb
import ParlanceWire
import ParlanceWords

/// The settings of a node, with the place where each was found.
///
/// `SettingKey.descriptor` says what each means and which values are valid.
package struct Settings: Sendable {
    package var name: String?
    package var port = LinkService.preferredPort
    package var listen: [String] = []
    /// The port of the local page; nil: none is served.
    var pagePort: UInt16? = PageLimits.preferredPort
    /// The port of a model server that this node offers; nil: none is offered.
    var modelPort: UInt16?
    package var peers: [Endpoint] = []
    package var mdns = DiscoveryMode.auto
    package var mdnsInterfaces: [String] = []
    package var hidden = false
    var autoAccept = AutoAccept.workspace
    var notify = NotifyLevel.direct
    var quietHours: QuietHours?
    /// Bytes; 0: nothing is fetched without being asked for.
    var autoFetch = Limits.autoFetchBytes
    /// Bytes.
    var fileLimit = Self.usualFileLimit
    /// Bytes; `noQuota`: without an end.
    var fileQuota = Self.usualFileQuota
    /// `nil`: no limit.
    var fileRate: FileRate?
    /// Bytes of messages of one author in one conversation and day; `noQuota`: without an end.
    var messageQuota = Limits.authorDayBytes
    package var logLevel = Logger.Level.info
    /// Where each value was found; a default has no place.
    private(set) var places: [SettingKey: SettingPlace] = [:]

    /// The value of a setting as it is given on a command line.
    func texts(of key: SettingKey) -> [String] { key.descriptor.texts(self) }

    /// Takes a value that was found somewhere; throws an error that names the place if it is not valid.
    mutating func read(_ texts: [String], of key: SettingKey, at place: SettingPlace) throws(DaemonError) {
        do throws(SettingFault) {
            try key.descriptor.read(texts, &self)
            if place.origin != .file { try key.checkNew(self) }
        } catch { throw error.error(key, at: place, texts) }
        places[key] = place
    }

    /// What a file sets that cannot work, though the node runs with it.
    var faults: [DaemonError] {
        SettingKey.allCases.compactMap { key in
            guard let place = places[key] else { return nil }
            do throws(SettingFault) {
                try key.checkNew(self)
                return nil
            } catch { return error.error(key, at: place, texts(of: key)) }
        }
    }

    /// What the user is to be notified of.
    var notificationRules: Attention.Rules { Attention.Rules(level: notify, quietHours: quietHours) }

    /// Takes over one value, with its place.
    mutating func take(_ key: SettingKey, from other: Settings) {
        key.descriptor.copy(other, &self)
        places[key] = other.places[key]
    }

    /// The same settings with the name that the node has, whatever gave it.
    func inForce(name: String) -> Settings {
        guard name != self.name else { return self }
        var settings = self
        settings.name = name
        settings.places[.name] = .store
        return settings
    }

    /// All settings for a client.
    ///
    /// - Parameter next: the settings after the next start, if a node runs with these.
    func infos(next: Settings? = nil) -> [SettingInfo] {
        SettingKey.allCases.map { key in
            let later = next?.texts(of: key)
            return SettingInfo(
                key: key.rawValue,
                value: texts(of: key),
                list: key.descriptor.form == .list,
                pending: later == texts(of: key) ? nil : later,
                origin: places[key]?.origin ?? .default,
                place: places[key]?.text(for: key),
                default: Settings().texts(of: key),
                meaning: key.descriptor.meaning,
                allowed: key.descriptor.form.allowed,
                effect: key.descriptor.effect
            )
        }
    }
}
