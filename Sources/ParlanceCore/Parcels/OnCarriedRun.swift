import ParlanceRecords

/// The result of taking a run from an envelope or a parcel.
enum OnCarriedRun: Equatable {
    /// Its new events; none if all are held.
    case taken([StoredEvent])
    /// Nothing of it was taken, and it may be held: what is held where it ends has to be read.
    case unread(CarriedEnd)
    /// Events before it are not held.
    case gap
    /// It does not continue what is held.
    case forked
    case refused
}
