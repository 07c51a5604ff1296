import Testing

@testable import ParlanceWords

@Suite struct LanguageTests {
    @Test(arguments: [
        ([:], Language.english),
        (["LANG": "de_DE.UTF-8"], .german),
        (["LANG": "de"], .german),
        (["LANG": "de_AT@euro"], .german),
        (["LANG": "en_GB.UTF-8"], .english),
        (["LANG": "fr_FR.UTF-8"], .english),
        (["LANG": "den_XX"], .english),
        (["LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"], .german),
        (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], .english),
        (["LANG": "de_DE.UTF-8", "LC_ALL": ""], .german),
        (["LANG": "en_GB.UTF-8", "LANGUAGE": "de"], .german),
        (["LANG": "en_GB.UTF-8", "LANGUAGE": "fr:de:en"], .german),
        (["LANG": "de_DE.UTF-8", "LANGUAGE": "en:de"], .english),
        (["LANG": "C.UTF-8", "LANGUAGE": "de"], .english),
        (["LANGUAGE": "de"], .english),
    ])
    func theEnvironmentSaysTheLanguage(_ environment: [String: String], _ language: Language) {
        #expect(Language { environment[$0] } == language)
    }

    @Test func aTagMayHaveARegion() {
        #expect(Language(tag: "de-AT") == .german)
        #expect(Language(tag: "DE") == .german)
        #expect(Language(tag: "") == nil)
        #expect(Language(tag: "tlh") == nil)
    }
}
