import ParlanceControl

extension NodeOperations {
    static let config: [any NodeOperation.Type] = [ConfigListOperation.self, ConfigReloadOperation.self]
}

extension ConfigListOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<ConfigInfo>) {
        reply(.success(node.reload.settings.info))
    }
}

extension ConfigReloadOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<ConfigReloadReply>) {
        node.reload.ask { result in
            reply(result.mapError { ControlError($0) })
        }
    }
}
