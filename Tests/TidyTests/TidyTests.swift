import Testing

/// The project's files keep the rules of the house.
@Suite struct TidyTests {
    @Test func layersImportOnlyWhatIsBelowThem() throws {
        let files = try SourceTree.files()
        expectNone(files.flatMap(ImportRule.violations) + ImportRule.severalShells(in: files))
    }

    @Test func bannedCallsStandNowhere() throws {
        expectNone(try SourceTree.files().flatMap(BannedCallRule.violations))
    }

    @Test func pureTargetsHaveNoSentences() throws {
        expectNone(try SourceTree.files().flatMap(SentenceRule.violations))
    }

    @Test func commentsArePlainEnglish() throws {
        expectNone(try SourceTree.files().flatMap(PlainEnglishRule.violations))
    }

    @Test func filesAndFunctionsAreShort() throws {
        expectNone(try SourceTree.files().flatMap(SizeRule.violations))
    }

    @Test func timeLimitsEndOnlyWhatHangs() throws {
        expectNone(try SourceTree.files(in: "Tests").flatMap(TimeLimitRule.violations))
    }

    @Test func roomsHaveWalls() throws {
        expectNone(try SourceTree.files().flatMap(RoomRule.violations))
    }

    /// A rule over rooms that were renamed would always pass.
    @Test func theRoomsAreFound() throws {
        let found = try SourceTree.files(in: "Sources").flatMap(RoomRule.rooms)
        #expect(RoomRule.rooms.subtracting(found) == [])
    }

    @Test func everyLimitStandsInTheSpecification() throws {
        let code = try SourceTree.files().filter { LimitsRule.holdsLimits($0.path) }
        #expect(code.count > 1)
        expectNone(LimitsRule.violations(code: code, page: try SourceTree.text(LimitsRule.pagePath)))
    }

    @Test func everyLimitIsTested() throws {
        let code = try SourceTree.files().filter { LimitsRule.holdsLimits($0.path) }
        #expect(code.count > 1)
        expectNone(LimitsRule.untested(code: code, tests: try SourceTree.files(in: "Tests")))
    }

    /// A guide that names files which do not exist leads nowhere.
    @Test func theFilesThatContributingNamesExist() throws {
        let paths = try SourceTree.files().map(\.path)
        let page = try SourceTree.text("contrib/CONTRIBUTING.md")
        // A pattern of names, not a file.
        let named = Set(page.matches(of: /`([A-Za-z\/+]+\.swift)`/).map { String($0.1) }).subtracting([
            "Type+Concern.swift"
        ])
        #expect(named.count > 30)
        for file in named.sorted() where !paths.contains(where: { $0 == file || $0.hasSuffix("/\(file)") }) {
            Issue.record("contrib/CONTRIBUTING.md names \(file), which does not exist")
        }
    }

    /// A check over no files would always pass, and so would a check whose targets were renamed.
    @Test func theTreeIsFound() throws {
        let targets = Set(try SourceTree.files(in: "Sources").map(\.target))
        #expect(targets.isSuperset(of: ImportRule.pure.keys))
        #expect(targets.isSuperset(of: ImportRule.shells))
        #expect(targets.isSuperset(of: SentenceRule.pure))
    }

    private func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
        for violation in violations {
            Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
        }
    }
}
