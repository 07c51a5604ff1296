import ParlanceControl
import ParlanceRandom
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// Pages and events come in any order; the screen shows what the history is.
@Suite struct ChatOrderTests {
    private let bob = TestScreen.direct("Bob")

    private func message(_ minute: Int64, _ id: String? = nil, from name: String? = "Bob") -> MessageInfo {
        TestScreen.message(id ?? "m\(minute)", "text \(minute)", from: name, minute: minute)
    }

    private func ids(_ screen: TestScreen) -> [String] { screen.chat.open?.messages.map(\.id) ?? [] }

    @Test func whatArrivesLateStandsWhereItBelongs() {
        var screen = TestScreen()
        screen.begin([bob], messages: [message(0), message(50, from: nil)])
        screen.tell(MessageEvent(message(5)))
        #expect(ids(screen) == ["m0", "m5", "m50"])
        // The mark names the message that was seen, so that later ones stay unread.
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["m5"])
    }

    @Test func whatWaitedMovesToItsPlaceAndIsUnreadUntilItIsSeenThere() {
        var screen = TestScreen()
        var waiting = message(3, "w")
        waiting.waits = true
        screen.begin([bob], messages: [message(0), message(9)])
        screen.tell(MessageEvent(waiting))
        #expect(ids(screen) == ["m0", "w", "m9"])
        #expect(screen.asked(ReadOperation.self).isEmpty)
        screen.tell(ChangedEvent(message(20, "w")))
        #expect(ids(screen) == ["m0", "m9", "w"])
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["w"])
    }

    @Test func aPageWithALateMessageDoublesNothing() {
        var screen = TestScreen()
        screen.begin([bob], messages: [message(1), message(9)])
        screen.take(.disconnected(), .connected)
        screen.answer(screen.askedPage(), [message(0), message(1), message(5), message(9)], of: bob)
        #expect(ids(screen) == ["m0", "m1", "m5", "m9"])
    }

    @Test func aPageThatWasReadBeforeAnEventErasesNothing() {
        var screen = TestScreen()
        screen.begin([bob], messages: [message(1)])
        screen.tell(MessageEvent(message(2, from: nil)))
        let request = screen.askedPage()
        #expect(request != nil)
        screen.tell(MessageEvent(message(3)), WithdrawnEvent(id: "m1"))
        var changed = message(2, from: nil)
        changed.text = "changed"
        changed.status = nil
        screen.tell(ChangedEvent(changed))
        // Read before all three.
        screen.answer(request, [message(1), message(2, from: nil)], of: bob)
        #expect(ids(screen) == ["m2", "m3"])
        #expect(screen.chat.open?.message("m2")?.text == "changed")
        #expect(screen.chat.open?.message("m2")?.status == .delivered)
    }

    @Test func whatComesBeforeTheFirstPageIsReadWithTheNext() {
        var screen = TestScreen(who: "Bob")
        screen.take(.connected)
        let first = screen.askedPage()
        screen.tell(MessageEvent(message(2)))
        screen.answer(first, [message(1)], of: bob)
        let second = screen.askedPage()
        #expect(second?.before == nil)
        screen.answer(second, [message(1), message(2)], of: bob)
        #expect(ids(screen) == ["m1", "m2"])
        #expect(screen.askedPage() == nil)
    }

    @Test func anOlderPageThatIsTooLateLeavesNoGap() {
        var screen = TestScreen()
        screen.begin([bob], messages: (100..<140).map { message($0) }, more: true)
        for _ in 0..<3 { screen.press(.named(.pageUp)) }
        let request = screen.askedPage()
        #expect(request?.before == "m100")
        screen.press(.named(.escape))
        for minute in 140..<1_000 { screen.tell(MessageEvent(message(Int64(minute)))) }
        screen.answer(request, (50..<100).map { message($0) }, of: bob, more: true)
        let places = screen.chat.open?.messages.map(\.place) ?? []
        #expect(places.count <= 800 && places == (1_000 - Int64(places.count)..<1_000).map { message($0).place })

        screen.press(.alt("1"))
        screen = TestScreen()
        screen.begin([bob, TestScreen.direct("Cleo")], messages: [message(100)], more: true)
        screen.press(.named(.pageUp))
        let old = screen.askedPage()
        screen.press(.alt("2"), .alt("1"))
        screen.answer(old, [message(1)], of: bob)
        #expect(ids(screen).isEmpty)
    }

    @Test func afterALostConnectionEverythingThatIsHereIsReadAgain() {
        var screen = TestScreen()
        let all = (0..<500).map { message(Int64($0)) }
        screen.begin([bob], messages: Array(all[300...]), more: true)
        for _ in 0..<20 { screen.press(.named(.pageUp)) }
        screen.answer(screen.askedPage(), Array(all[200..<300]), of: bob, more: true)
        screen.press(.named(.escape))
        screen.take(.disconnected(), .connected)
        // One has gone and one has come far above, and there are new ones.
        let history = all.filter { $0.id != "m205" } + [message(250, "late"), message(500)]
        let now = history.sorted { $0.place < $1.place }
        var pages = 0
        while let request = screen.askedPage() {
            let end = request.before.flatMap { before in now.firstIndex { $0.id == before } } ?? now.count
            let start = max(0, end - request.limit)
            screen.answer(request, Array(now[start..<end]), of: bob, more: start > 0)
            pages += 1
        }
        let first = screen.chat.open?.messages.first?.id
        #expect(ids(screen) == Array(now[(now.firstIndex { $0.id == first } ?? 0)...]).map(\.id))
        #expect(ids(screen).contains("late") && (2...3).contains(pages))
    }

    @Test func whoReadsOlderMessagesKeepsThemHoweverManyCome() {
        var screen = TestScreen()
        screen.begin([bob], messages: (0..<100).map { message($0) })
        for _ in 0..<3 { screen.press(.named(.pageUp)) }
        let shown = screen.lines.dropLast(3)
        for minute in 100..<2_500 { screen.tell(MessageEvent(message(Int64(minute)))) }
        #expect(screen.lines.dropLast(3) == shown)
        #expect(ids(screen).count == OpenConversation.mostWhileAway)
        screen.press(.named(.escape))
        let request = screen.askedPage()
        screen.answer(request, (2_300..<2_500).map { message($0) }, of: bob, more: true)
        #expect(ids(screen) == (2_300..<2_500).map { "m\($0)" })
    }

    @Test func randomOrdersOfPagesAndEventsGiveTheHistory() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for round in 0..<200 {
            var history: [MessageInfo] = (0..<Int.random(in: 0..<30, using: &random)).map { message(Int64($0 * 10)) }
            var screen = TestScreen(who: "bobbob")
            screen.take(.connected)
            var request = screen.askedPage()
            var page: [MessageInfo]?
            var next: Int64 = 0
            for _ in 0..<60 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1, 2:
                    next += 1
                    let new = message(
                        Int64.random(in: 0..<400, using: &random),
                        "n\(next)",
                        from: Bool.random(using: &random) ? "Bob" : nil
                    )
                    history.insert(new, at: history.endOfEarlier(than: new))
                    screen.tell(MessageEvent(new))
                case 3:
                    guard let gone = history.randomElement(using: &random) else { continue }
                    history.removeAll { $0.id == gone.id }
                    screen.tell(WithdrawnEvent(id: gone.id))
                case 4:
                    screen.take(.disconnected())
                    // What happens now is not told.
                    if Bool.random(using: &random), !history.isEmpty { history.removeFirst() }
                    next += 1
                    let new = message(Int64.random(in: 0..<400, using: &random), "n\(next)")
                    history.insert(new, at: history.endOfEarlier(than: new))
                    screen.take(.connected)
                    (request, page) = (nil, nil)
                case 5: page = history
                default:
                    request = request ?? screen.askedPage()
                    guard let asked = request else { continue }
                    screen.answer(asked, within(page ?? history, asked), of: bob, more: isMore(page ?? history, asked))
                    (request, page) = (nil, nil)
                }
                if request == nil {
                    request = screen.askedPage()
                    page = nil
                }
            }
            while let asked = request ?? screen.askedPage() {
                screen.answer(asked, within(history, asked), of: bob, more: isMore(history, asked))
                request = nil
            }
            #expect(ids(screen) == history.map(\.id), "seed \(seed), round \(round)")
            if ids(screen) != history.map(\.id) { return }
        }
    }

    private func end(_ history: [MessageInfo], _ request: PageRequest) -> Int {
        request.before.flatMap { before in history.firstIndex { $0.id == before } } ?? history.count
    }

    private func within(_ history: [MessageInfo], _ request: PageRequest) -> [MessageInfo] {
        Array(history[..<end(history, request)].suffix(request.limit))
    }

    private func isMore(_ history: [MessageInfo], _ request: PageRequest) -> Bool {
        end(history, request) > request.limit
    }

    // MARK: - Statuses

    @Test func whyAMessageOfAnotherTerminalWaitsIsAskedFor() {
        var screen = TestScreen()
        screen.begin([bob])
        var own = TestScreen.message("own", "hello", status: .staged)
        screen.tell(MessageEvent(own))
        own.waitingReason = "Bob is offline"
        screen.answer(screen.askedPage(), [own], of: bob)
        #expect(screen.text.contains("waits: Bob is offline"))
        // A courier has it: no event tells that, but somebody came.
        screen.tell(PresenceEvent(peer: "cleocleo", displayName: "Cleo", presence: .online))
        (own.status, own.waitingReason) = (.sent, nil)
        screen.answer(screen.askedPage(), [own], of: bob)
        #expect(screen.text.contains("sent") && !screen.text.contains("waits"))
        #expect(screen.askedPage() == nil)
    }

    @Test func whoIsAloneInAGroupStagesNothing() {
        var screen = TestScreen()
        let crew = TestScreen.group("Crew")
        screen.begin([crew])
        var own = TestScreen.message("own", "hello", in: crew.id, status: .staged)
        screen.tell(MessageEvent(own))
        own.status = nil
        screen.answer(screen.askedPage(), [own], of: crew)
        #expect(!screen.text.contains("waits"))
    }

    @Test func aStatusFarAboveIsReadAgain() {
        var screen = TestScreen()
        let crew = TestScreen.group("Crew")
        var all = (0..<150).map {
            TestScreen.message("m\($0)", "text", from: $0 < 10 ? nil : "Bob", in: crew.id, minute: Int64($0))
        }
        for index in 0..<10 { all[index].reach = ReachInfo(recipients: 2, delivered: 1, read: 0, readBy: []) }
        screen.begin([crew], messages: all)
        let cleo = Person(id: "cleocleo", displayName: "Cleo")
        screen.tell(ReachedEvent(conversation: crew.id, title: "Crew", member: cleo, status: .delivered, sequence: 10))
        let request = screen.askedPage()
        for index in 0..<10 { all[index].reach = ReachInfo(recipients: 2, delivered: 2, read: 0, readBy: []) }
        screen.answer(request, Array(all.suffix(request?.limit ?? 0)), of: crew, more: request?.limit ?? 0 < 150)
        #expect(screen.chat.open?.message("m0")?.reach?.delivered == 2)
        // The next event is about later messages only.
        screen.tell(ReachedEvent(conversation: crew.id, title: "Crew", member: cleo, status: .delivered, sequence: 10))
        #expect(screen.askedPage() == nil)
    }
}
