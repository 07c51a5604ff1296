import ParlanceControl

extension NodeOperations {
    static let config: [any NodeOperation.Type] = [ConfigListOperation.self, ConfigReloadOperation.self]
}

extension ConfigListOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ConfigInfo {
        node.host.settings
    }
}

extension ConfigReloadOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ConfigReloadReply {
        try await node.host.reload()
    }
}
