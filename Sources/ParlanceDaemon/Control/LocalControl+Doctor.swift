import ParlanceControl
import ParlanceCore
import ParlanceStore
import ParlanceWire

// What is odd, with the proof.
extension LocalControl {
    func doctor(_ reply: @escaping Reply) {
        inbox.offer(.listForks) { [self] result in
            guard case .success(.forks(let branches)) = result else {
                return reply(.success(.findings(Findings(forks: []))))
            }
            askAll(reply) { [self] places throws(StoreError) in
                .success(.findings(Findings(forks: forks(of: branches, places))))
            }
        }
    }

    private func forks(of branches: [BranchRecord], _ places: [Place]) -> [ForkInfo] {
        let byLog = Dictionary(grouping: branches) { LogKey($0.conversation, $0.parent) }
        let logs = byLog.keys.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
        return logs.map { key in
            let parts = byLog[key] ?? []
            return ForkInfo(
                conversation: key.conversation.text,
                title: places.first { $0.conversation == key.conversation }?.title ?? "",
                author: newsroom.person(key.log.author),
                after: parts.first?.base.sequence ?? 0,
                branches: parts.map { ForkInfo.Branch(first: $0.first.text, proof: $0.proof.hexadecimal) }
            )
        }
    }
}

extension [UInt8] {
    fileprivate var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
