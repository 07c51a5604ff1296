extension DoctorView.Way {
    /// The ways to somebody, each once: a node that was started again, or has changed its workspace, announces itself under
    /// another name, and the former name is seen with the same addresses until it ends.
    ///
    /// - Parameter isLinked: whether somebody is linked: then a failure at a name that was tried before is over.
    static func distinct(_ ways: [DoctorView.Way], isLinked: Bool) -> [DoctorView.Way] {
        ways.reduce(into: []) { distinct, way in
            let place = distinct.firstIndex { $0.kind == way.kind && Set($0.endpoints) == Set(way.endpoints) }
            if let place {
                distinct[place] = distinct[place].joined(with: way, isLinked: isLinked)
            } else {
                distinct.append(way)
            }
        }
    }

    /// What two announcements with the same addresses say of these.
    private func joined(with newer: DoctorView.Way, isLinked: Bool) -> DoctorView.Way {
        var whole = newer
        whole.failed = isLinked && (failed == nil || newer.failed == nil) ? nil : newer.failed ?? failed
        whole.isForeign = isForeign && newer.isForeign
        whole.isOpen = isOpen || newer.isOpen
        whole.isUnderWay = isUnderWay || newer.isUnderWay
        whole.nextTry = isForeign == newer.isForeign ? min(nextTry, newer.nextTry) : isForeign ? newer.nextTry : nextTry
        return whole
    }
}
