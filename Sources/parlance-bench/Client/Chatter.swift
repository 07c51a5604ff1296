import Foundation

/// Sentences of a busy office, with something to do in some of them. The same run gives the same sentences.
struct Chatter {
    private static let things = [
        "pump", "filter", "invoice", "blue paint", "spare key", "engine manual", "delivery", "budget", "chart",
        "anchor",
        "printer", "contract", "crane", "fuel tank", "schedule", "radio",
    ]
    private static let places = [
        "the yard", "pier three", "the workshop", "the office", "Hamburg", "the engine room", "the harbour",
        "room seven",
    ]
    private static let times = [
        "Friday", "tomorrow", "nine o'clock", "next week", "the 14th", "noon", "Monday", "the weekend",
    ]
    private static let sentences = [
        "The {thing} is in {place} since {time}.", "Please order the {thing} by Friday.",
        "I saw the {thing} near {place}.",
        "Does anybody know where the {thing} is? It was in {place}.", "We talked about the {thing} and the {other}.",
        "They say that the {thing} does not come before {time}.", "Agreed, we go with the other {thing}.",
        "The people from {place} asked about the {thing} again.", "It rains in {place}, so the {thing} has to wait.",
        "Thanks for the {thing}, it works much better than the old one, and the {other} is fine too.",
        "I am in {place} until {time}.", "The {other} costs more than the {thing}, by a good deal.",
        "Good morning from {place}!",
        "Somebody left the {thing} beside the {other} in {place}.", "The meeting about the {thing} begins at {time}.",
        "I was told that {place} is closed until {time}, because of the {thing}.",
    ]

    private var noise = Noise(seed: 12)

    mutating func next() -> String {
        pick(Self.sentences)
            .replacing("{thing}", with: pick(Self.things))
            .replacing("{other}", with: pick(Self.things))
            .replacing("{place}", with: pick(Self.places))
            .replacing("{time}", with: pick(Self.times))
    }

    private mutating func pick(_ words: [String]) -> String {
        let bytes = noise.block(8)
        return words[Int(bytes[3]) % words.count]
    }
}
