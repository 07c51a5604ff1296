/// The announcements that must still be resolved; it prevents a flood of announcements from causing a flood of
/// questions.
/// An announcement is resolved once, when it appears (a peer whose port, text or address changes announces a new
/// instance), because a continuous question for every peer would cause constant traffic on the whole network.
struct ResolveQueue {
    typealias Place = ServiceRecord.Place

    private enum Progress { case waiting, asked, done }

    private let parallel: Int
    private let capacity: Int
    private let attempts: Int
    private var known: [Place: (progress: Progress, tries: Int)] = [:]
    private var waiting: [Place] = []
    private var asked = 0

    /// - Parameters:
    ///   - parallel: questions open at one time.
    ///   - capacity: the most announcements remembered; beyond it new ones are ignored.
    ///   - attempts: how many times a question without an answer is asked.
    init(parallel: Int, capacity: Int, attempts: Int) {
        self.parallel = parallel
        self.capacity = capacity
        self.attempts = attempts
    }

    /// Notes an announcement; one that is known already is not resolved again.
    mutating func appeared(_ place: Place) {
        guard known[place] == nil, known.count < capacity, ServiceRecord.isAcceptableName(place.instance) else {
            return
        }
        known[place] = (.waiting, 0)
        waiting.append(place)
    }

    /// Forgets an announcement that ended.
    mutating func vanished(_ place: Place) {
        guard let entry = known.removeValue(forKey: place) else { return }
        if entry.progress == .waiting { waiting.removeAll { $0 == place } }
    }

    /// The next announcement to resolve, if another question may be open; the caller must report its end.
    mutating func next() -> Place? {
        guard asked < parallel, !waiting.isEmpty else { return nil }
        let place = waiting.removeFirst()
        asked += 1
        known[place] = (.asked, (known[place]?.tries ?? 0) + 1)
        return place
    }

    /// Notes the end of a question; returns whether the answer, if there was one, is still needed.
    mutating func ended(_ place: Place, wasAnswered: Bool) -> Bool {
        asked = max(0, asked - 1)
        guard let entry = known[place], entry.progress == .asked else { return false }
        if wasAnswered || entry.tries >= attempts {
            known[place]?.progress = .done
        } else {
            known[place]?.progress = .waiting
            waiting.append(place)
        }
        return wasAnswered
    }
}
