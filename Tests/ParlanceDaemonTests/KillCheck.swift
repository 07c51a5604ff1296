import ParlanceControl

/// The checks after the kills; each failure names its message.
struct KillCheck {
    let loads: [KillLoad]
    /// The messages that each of the two nodes shows, the oldest first.
    let shown: [[MessageInfo]]
    private(set) var breaches: [String] = []

    init(_ loads: [KillLoad], shown: [[MessageInfo]]) {
        self.loads = loads
        self.shown = shown
        for (load, view) in zip(loads, shown) {
            checkOnce(view, at: load.node.name)
            for author in loads { checkAuthor(author, view, at: load.node.name) }
        }
        checkSameOrder()
        for (load, view) in zip(loads, shown) { checkStatuses(view, at: load.node.name) }
    }

    private mutating func breach(_ text: String) {
        breaches.append(text)
    }

    /// No message and no text is shown twice.
    private mutating func checkOnce(_ view: [MessageInfo], at place: String) {
        var ids: Set<String> = []
        var texts: Set<String> = []
        for message in view where !ids.insert(message.id).inserted || !texts.insert(message.text).inserted {
            breach("\(place) shows \"\(message.text)\" (\(message.id.prefix(12))) twice")
        }
    }

    /// Every accepted message of an author is shown under the ID with which it was accepted, in the order written.
    private mutating func checkAuthor(_ author: KillLoad, _ view: [MessageInfo], at place: String) {
        let record = author.soFar
        let byID = Dictionary(view.map { ($0.id, $0.text) }) { $1 }
        for (number, reply) in record.accepted.sorted(by: { $0.key < $1.key }) {
            let text = author.text(number)
            if byID[reply.id] != text {
                let instead = byID[reply.id].map { "\"\($0)\"" } ?? "nothing"
                breach(
                    "\"\(text)\" (\(reply.id.prefix(12))) was accepted, but \(place) shows \(instead) for it"
                )
            }
        }
        var last = 0
        let start = "\(author.node.name) "
        for message in view where message.text.hasPrefix(start) {
            guard let number = Int(message.text.dropFirst(start.count)), (1...record.written).contains(number) else {
                breach("\(place) shows \"\(message.text)\", which nobody wrote")
                continue
            }
            if number <= last { breach("\(place) shows \"\(message.text)\" after number \(last)") }
            last = number
        }
    }

    private mutating func checkSameOrder() {
        let (first, second) = (shown[0], shown[1])
        if first.count != second.count {
            breach("\(loads[0].node.name) shows \(first.count) messages, \(loads[1].node.name) \(second.count)")
        }
        if let (left, right) = zip(first, second).first(where: { $0.id != $1.id }) {
            breach("the orders part where one shows \"\(left.text)\" and the other \"\(right.text)\"")
        }
    }

    private mutating func checkStatuses(_ view: [MessageInfo], at place: String) {
        for message in view where message.mine && message.status != .delivered {
            breach("\(place) shows \"\(message.text)\" as \(message.status?.rawValue ?? "nothing"), not as delivered")
        }
    }
}
