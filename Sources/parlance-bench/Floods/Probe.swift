import Foundation

/// Tests whether a daemon accepts a newcomer.
enum Probe {
    /// Whether one whole handshake succeeds now.
    static func isAnswered(_ target: Target) -> Bool {
        let descriptor = target.connect(isBlocking: true)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let newcomer = try? Newcomer() else { return false }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var next = newcomer.beginning
        while !newcomer.isLinked {
            if !next.isEmpty, send(descriptor, next, next.count, Int32(MSG_NOSIGNAL)) != next.count { return false }
            var answer = [UInt8](repeating: 0, count: 1024)
            let count = recv(descriptor, &answer, answer.count, 0)
            guard count > 0, let more = try? newcomer.receive(answer[..<count]) else { return false }
            next = more
        }
        return true
    }

    /// Tries again and again; returns the seconds until the first success.
    static func secondsUntilAnswered(_ target: Target) throws -> Double {
        let began = ContinuousClock.now
        while began.duration(to: .now) < .seconds(60) {
            if isAnswered(target) { return began.duration(to: .now).seconds }
            poll(nil, 0, 50)
        }
        throw BenchError("the daemon accepted no newcomer within 60 s after the attack")
    }
}
