package import ParlanceCore
import ParlanceErrorCode
import ParlanceWire

// Checks, counts and hashes everything that happens, and records it if requested.
extension Office: WorldObserver {
    package func started(_ node: Int) { checker.started(node) }

    package func ended(_ node: Int) {}

    package func told(_ input: Input, _ node: Int) {
        checker.subject = node
        defer { checker.subject = nil }
        trace.told(input, node, world.now)
        checker.told(input, node)
        switch input {
        case .frameReceived(_, let frame, _): coverage.count(frame.coverageName)
        case .linkClosed(_, let end): coverage.count("link ended: \(end.kindName)")
        case .dialFailed: coverage.count("dial failed")
        default: break
        }
    }

    package func decided(_ effect: Effect, _ node: Int) {
        checker.subject = node
        defer { checker.subject = nil }
        trace.decided(effect, node, world.now)
        checker.decided(effect, node)
        switch effect {
        case .report(_, let report): coverage.count("report: \(report.line)")
        case .answer(let command, let result):
            if case .failure(let error) = result { coverage.count("error: \(error.code.rawValue)") }
            answered(command, result)
        case .send(_, let frame):
            if case .bye(let bye) = frame.kind { coverage.count("bye: \(bye.reason)") }
        case .notify(let notice): coverage.count(notice.coverageName)
        default: break
        }
    }

    package func synced(_ batch: PersistBatch, _ node: Int) {
        checker.subject = node
        defer { checker.subject = nil }
        checker.checkGenuine(batch, node)
        checker.noteHeld(batch, node)
        checker.noteCarried(batch, node)
        checker.checkOutsider(batch, node)
        checker.checkMembership(batch, node)
        checker.noteTaken(batch, node)
        checker.checkPictures(batch, node)
        checker.synced(batch, node)
        if batch.events.count > 1 { coverage.count("batch of several events") }
        if batch.events.count > 64 { coverage.count("batch of more events than a head may wait for") }
        if !batch.signatures.isEmpty { coverage.count("unsigned head signed at start") }
    }

    package func happened(_ what: @autoclosure () -> String, kind: String) {
        coverage.count("fault: \(kind)")
        trace.add(world.now, what())
    }

    package func violated(_ what: String) { checker.violate(what) }
}
