import ParlanceControl

extension NodeOperations {
    static let config: [any NodeOperation.Type] = [ConfigListOperation.self, ConfigReloadOperation.self]
}

extension ConfigListOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ConfigInfo {
        node.reload.settings.info
    }
}

extension ConfigReloadOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ConfigReloadReply {
        let result: Result<ConfigReloadReply, DaemonError> = await withCheckedContinuation { continuation in
            node.reload.ask { continuation.resume(returning: $0) }
        }
        return try result.mapError { ControlError($0) }.get()
    }
}
