import ParlanceControl

/// What the test node answers about requests and safety numbers.
enum TestTrust {
    static let code = "PARLANCE:1:" + String(repeating: "A", count: 56) + ":" + String(repeating: "B", count: 56)
    static let number = Array(repeating: "01234", count: 12).joined(separator: " ")

    static func answer(_ request: ControlRequest) -> Result<ControlReply, ControlError> {
        guard case .verify(let verify) = request else {
            let request = RequestEvent(
                peer: TestNode.bob.id,
                name: "Bob~bobb \u{2714}\u{FE0F}",
                preview: "may I\u{1B}[2J",
                time: ControlTime(milliseconds: 1_763_689_260_000),
                warning: "somebody else you know goes by \"Bob\"; this is not them"
            )
            return .success(.requests(RequestsReply(requests: [request])))
        }
        if verify.scanned == "wrong" {
            return .failure(ControlError(.notTheSame, "The identities are not the same.", advice: "Beware."))
        }
        var peer = TestNode.bob
        if verify.scanned != nil || verify.confirm == true { peer.trust = .verified }
        return .success(.verification(VerificationInfo(peer: peer, number: number, code: code)))
    }
}
