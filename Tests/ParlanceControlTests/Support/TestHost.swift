import ParlanceControl
import ParlanceNode
import ParlanceWords
import Synchronization

/// What would be the daemon around a node: its settings are those that a test gives.
final class TestHost: NodeHost {
    private static let file = "/c.yaml"
    private let name = Mutex<ConfiguredName?>(nil)

    var settings: ConfigInfo { ConfigInfo(file: Self.file, running: true, settings: []) }

    var configuredName: ConfiguredName? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }

    var report: HostReport { HostReport() }

    func reload() async throws(ControlError) -> ConfigReloadReply {
        ConfigReloadReply(file: Self.file, applied: ["log-level", "peers"], restart: ["port"])
    }

    func shows(_ conversation: String?, client: UInt64) {}

    func read(_ conversation: String) {}
}
