/// The words of a question that say what it is about.
enum QuestionWords {
    /// Words that stand in most questions and messages, in English and German.
    private static let common = Set((english + " " + german).split(whereSeparator: \.isWhitespace).map(String.init))

    private static let english = """
        the and for are was were is who what when where why which how did does do has have had will would
        can could should that this these those with from about into our your their his her its they them you
        she him any some there been being than then but not of to in on at by it we he me my us an as be or
        if so up say said tell told much many
        """
    private static let german = """
        der die das den dem des ein eine einen einem einer und oder aber ist sind war waren hat haben hatte
        wird werden wer was wann wo warum wie welche welcher welches wir ihr sie er es ich du uns euch mir
        mich dir dich ihm ihn mit von vom zum zur bei aus auf für über nach vor im in am an zu nicht kein
        keine dass ob wenn dann noch schon auch sich gesagt sagt viel viele wohin woher womit
        """

    /// The words to look for, in lower case, each once, as they stand in the question; if all are common, all of them.
    static func of(_ question: String, limit: Int = AssistantLimits.questionWords) -> [String] {
        var seen: Set<String> = []
        let words = question.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
            .filter { seen.insert($0).inserted }
        let telling = words.filter { !common.contains($0) && ($0.count > 1 || $0.first?.isNumber == true) }
        return Array((telling.isEmpty ? words : telling).prefix(limit))
    }

    /// The query that finds a word and its forms (protocol/control.md, "Search").
    static func query(_ word: String) -> String {
        guard word.count >= inflected, word.allSatisfy(\.isLetter) else { return "\"\(word)\"" }
        let ending = word.hasSuffix("ies") ? 3 : word.count > inflected ? 2 : 1
        return "\"\(word.dropLast(ending))\"*"
    }

    /// The least characters of a word of which the ending is left out, so that other forms of it are found.
    private static let inflected = 5
}
