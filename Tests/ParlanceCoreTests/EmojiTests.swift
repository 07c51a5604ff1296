import ParlanceCore
import Testing

/// What this node accepts as a reaction.
@Suite struct EmojiTests {
    @Test(arguments: ["👍", "❤️", "👍🏽", "👩‍👩‍👧", "🇩🇪", "1️⃣", "#️⃣", "©"]) func onePictureIsAnEmoji(text: String) {
        #expect(text.isOneEmoji)
    }

    @Test(arguments: ["", " ", "a", "é", "1", "#", "👍👍", "👍 ", "👍a", "1️", "e\u{20E3}"])
    func anythingElseIsNone(text: String) {
        #expect(!text.isOneEmoji)
    }
}
