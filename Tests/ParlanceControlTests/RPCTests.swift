import NIOCore
import Testing

@testable import ParlanceControl

@Suite struct RPCTests {
    private func call(_ method: String, _ params: String? = nil) throws -> ControlCall {
        let json = try params.map { try JSONParser.parse(Array($0.utf8)) }
        return try ControlCall(RPCCall(id: .integer(1), method: method, params: json))
    }

    private func refusal(_ method: String, _ params: String) -> RPCError? {
        do {
            _ = try call(method, params)
            return nil
        } catch {
            return error as? RPCError
        }
    }

    private static var trustMethods: [(String, String?, ControlCall)] {
        let who = #"{"who":"Bob"}"#
        let scanned = #"{"who":"Bob","scanned":"x"}"#
        return [
            ("passphrase", #"{"new":"x"}"#, .request(.passphrase(PassphraseRequest(new: "x")))),
            ("requests", nil, .request(.requests)), ("decline", who, .request(.decline(WhoRequest(who: "Bob")))),
            ("unblock", who, .request(.unblock(WhoRequest(who: "Bob")))),
            ("verify", who, .request(.verify(VerifyRequest(who: "Bob")))),
            ("verify", scanned, .request(.verify(VerifyRequest(who: "Bob", scanned: "x")))),
            (
                "verify", #"{"who":"Bob","confirm":false}"#,
                .request(.verify(VerifyRequest(who: "Bob", confirm: false)))
            ),
        ]
    }

    @Test func readsEveryMethod() throws {
        let who = #"{"who":"Bob"}"#
        let (id, text) = (#"{"id":"m"}"#, #"{"id":"m","text":"x"}"#)
        let expected: [(String, String?, ControlCall)] = [
            ("status", nil, .request(.status)), ("id", "{}", .request(.identity)),
            ("name", nil, .request(.name(NameRequest()))),
            ("name", #"{"name":"Eve"}"#, .request(.name(NameRequest(name: "Eve")))),
            ("alias", #"{"who":"Bob","name":""}"#, .request(.alias(AliasRequest(who: "Bob", name: "")))),
            ("forget", who, .request(.forget(WhoRequest(who: "Bob")))), ("peers", nil, .request(.peers)),
            ("accept", who, .request(.accept(WhoRequest(who: "Bob")))),
            ("block", who, .request(.block(WhoRequest(who: "Bob")))),
            ("send", #"{"who":"Bob","text":"x"}"#, .request(.send(SendRequest(who: "Bob", text: "x")))),
            ("conversations", nil, .request(.conversations)),
            ("history", #"{"who":"Bob","limit":3}"#, .request(.history(HistoryRequest(who: "Bob", limit: 3)))),
            ("read", who, .request(.read(WhoRequest(who: "Bob")))), ("outbox", nil, .request(.outbox)),
            ("outbox.retry", #"{"id":"m"}"#, .request(.outboxRetry(OutboxRequest(id: "m")))),
            ("outbox.cancel", #"{"id":"m"}"#, .request(.outboxCancel(OutboxRequest(id: "m")))),
            ("presence", #"{"state":"busy"}"#, .request(.presence(PresenceRequest(state: .busy)))),
            ("typing", who, .request(.typing(WhoRequest(who: "Bob")))),
            ("reply", text, .request(.reply(MessageTextRequest(id: "m", text: "x")))),
            ("edit", text, .request(.edit(MessageTextRequest(id: "m", text: "x")))),
            ("delete", id, .request(.delete(MessageRequest(id: "m")))),
            ("info", id, .request(.info(MessageRequest(id: "m")))), ("doctor", nil, .request(.doctor(DoctorRequest()))),
            ("react", #"{"id":"m","emoji":"👍"}"#, .request(.react(ReactRequest(id: "m", emoji: "👍")))),
            ("subscribe", #"{"events":["message"]}"#, .subscribe(SubscriptionFilter(events: [.message]))),
            ("unsubscribe", #"{"subscription":4}"#, .unsubscribe(SubscriptionReference(subscription: 4))),
        ]
        let all = expected + Self.groupMethods + Self.workspaceMethods + Self.trustMethods
        for (method, params, result) in all { #expect(try call(method, params) == result) }
        #expect(Set(all.map(\.0)) == Set(ControlMethod.allCases.map(\.rawValue)))
    }

    private static let groupMethods: [(String, String?, ControlCall)] = {
        let (group, crew) = (#"{"group":"Crew"}"#, GroupRequest(group: "Crew"))
        let people = #"{"group":"Crew","who":["Bob"]}"#
        let members = GroupMembersRequest(group: "Crew", who: ["Bob"])
        return [
            (
                "group.create", #"{"title":"Crew","who":["Bob"]}"#,
                .request(.groupCreate(GroupCreateRequest(title: "Crew", who: ["Bob"])))
            ),
            ("group.show", group, .request(.groupShow(crew))), ("group.leave", group, .request(.groupLeave(crew))),
            ("group.add", people, .request(.groupAdd(members))),
            ("group.remove", people, .request(.groupRemove(members))),
            ("group.admin", people, .request(.groupAdmin(GroupAdminRequest(group: "Crew", who: ["Bob"])))),
            (
                "group.rename", #"{"group":"Crew","title":"Watch"}"#,
                .request(.groupRename(GroupRenameRequest(group: "Crew", title: "Watch")))
            ),
            ("group.topic", group, .request(.groupTopic(GroupTopicRequest(group: "Crew")))),
        ]
    }()

    private static let workspaceMethods: [(String, String?, ControlCall)] = [
        (
            "workspace.create", #"{"name":"Ship"}"#,
            .request(.workspaceCreate(WorkspaceCreateRequest(name: "Ship")))
        ),
        ("workspace.join", #"{"code":"x"}"#, .request(.workspaceJoin(WorkspaceJoinRequest(code: "x")))),
        ("courier", #"{"who":"Bob","remove":true}"#, .request(.courier(CourierRequest(who: "Bob", remove: true)))),
        ("workspace.show", nil, .request(.workspaceShow)), ("workspace.leave", nil, .request(.workspaceLeave)),
        (
            "workspace.rotate", #"{"without":["Bob"]}"#,
            .request(.workspaceRotate(WorkspaceRotateRequest(without: ["Bob"])))
        ),
    ]

    @Test func everyRequestComesBackAsItWas() throws {
        let requests: [ControlRequest] = [
            .status, .name(NameRequest(name: "x")), .send(SendRequest(who: "a", text: "b\u{0}")),
            .history(HistoryRequest(who: "w", before: "m", limit: 1)),
            .presence(PresenceRequest(state: .away, text: "")), .reply(MessageTextRequest(id: "m", text: "t")),
            .edit(MessageTextRequest(id: "m", text: "t")), .delete(MessageRequest(id: "m")),
            .react(ReactRequest(id: "m", emoji: "👍", remove: true)), .info(MessageRequest(id: "m")),
            .groupCreate(GroupCreateRequest(title: "t", who: ["a", "b"])), .groupShow(GroupRequest(group: "g")),
            .groupAdd(GroupMembersRequest(group: "g", who: ["a"])),
            .groupRemove(GroupMembersRequest(group: "g", who: [])),
            .groupAdmin(GroupAdminRequest(group: "g", who: ["a"], remove: true)),
            .groupLeave(GroupRequest(group: "g")), .groupRename(GroupRenameRequest(group: "g", title: "t")),
            .groupTopic(GroupTopicRequest(group: "g", topic: "")),
            .workspaceJoin(WorkspaceJoinRequest(name: "n", passphrase: "p")), .workspaceShow, .workspaceLeave,
            .courier(CourierRequest(who: "a")),
            .workspaceRotate(WorkspaceRotateRequest()), .workspaceCreate(WorkspaceCreateRequest(name: "n")),
        ]
        for request in requests {
            let rpc = RPCCall(id: .null, method: request.method.rawValue, params: try request.parameters())
            #expect(try ControlCall(rpc) == .request(request))
        }
    }

    @Test(
        arguments: [
            ("send", "{}", "params.who is missing"), ("send", #"{"who":"B"}"#, "params.text is missing"),
            ("send", #"{"who":1,"text":"x"}"#, "params.who must be a string, not an integer"),
            ("send", #"{"who":"B","text":"x","txt":1}"#, "params.txt is not known here"),
            ("send", #"["Bob","x"]"#, "params must be an object, not an array"),
            ("history", #"{"who":"B","limit":"3"}"#, "params.limit must be an integer, not a string"),
            ("history", #"{"who":"B","limit":1.5}"#, "params.limit must be an integer, not a number"),
            ("presence", #"{"state":"gone"}"#, "params.state must be one of: online, away, busy, offline"),
            ("subscribe", #"{"events":["nope"]}"#, "params.events[0] must be one of"),
            ("status", #"{"x":1}"#, "params.x is not known here"),
            ("group.create", #"{"title":"x","who":"Bob"}"#, "params.who must be an array, not a string"),
            ("group.add", #"{"group":"x","who":["a",1]}"#, "params.who[1] must be a string, not an integer"),
            ("react", #"{"id":"x","emoji":"y","remove":1}"#, "params.remove must be true or false, not an integer"),
            ("reply", #"{"id":"x"}"#, "params.text is missing"),
        ]
    )
    func saysWhatIsWrongWithParameters(_ method: String, _ params: String, _ message: String) {
        let error = refusal(method, params)
        #expect(error?.number == -32602)
        #expect(error?.message.hasPrefix("Invalid params: \(message)") == true, "\(error?.message ?? "accepted")")
    }

    @Test func methodNamesAreExact() {
        for name in ["Status", "status ", "", "rpc.discover", "outbox.", "identity"] {
            #expect(refusal(name, "{}")?.number == -32601)
        }
    }

    @Test(
        arguments: [
            ("{}", "jsonrpc"), (#"{"jsonrpc":"1.0","id":1,"method":"status"}"#, "jsonrpc"),
            (#"{"jsonrpc":"2.0","id":1}"#, "method"), (#"{"jsonrpc":"2.0","id":1,"method":3}"#, "method"),
            (#"{"jsonrpc":"2.0","id":[],"method":"status"}"#, "id"),
            (#"{"jsonrpc":"2.0","id":1,"method":"status","params":1}"#, "params"), ("3", "object"), ("\"x\"", "object"),
        ]
    )
    func refusesWhatIsNoRequest(_ line: String, _ word: String) throws {
        guard case .single(.invalid(_, let error)) = try RPCLine.parse(Array(line.utf8)) else {
            Issue.record("accepted: \(line)")
            return
        }
        #expect(error.number == -32600)
        #expect(error.message.contains(word))
    }

    @Test func batchesAreBounded() throws {
        func batch(_ count: Int) -> [UInt8] {
            Array(("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]").utf8)
        }
        guard case .batch(let elements) = try RPCLine.parse(batch(ControlLimits.batchElements)) else {
            Issue.record("no batch")
            return
        }
        #expect(elements.count == ControlLimits.batchElements)
        #expect(throws: RPCError.self) { try RPCLine.parse(batch(ControlLimits.batchElements + 1)) }
    }

    @Test func linesComeOutTheSameHoweverTheyAreCut() throws {
        let stream = Array("first\n\n \r\nsecond line\nthird\nlast".utf8)
        for size in 1...stream.count {
            var splitter = LineSplitter(limit: 20)
            var lines: [String] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                var piece = ByteBuffer(bytes: stream[start..<min(start + size, stream.count)])
                splitter.append(&piece)
                while let line = try splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == ["first", "second line", "third"])
            #expect(splitter.rest() == Array("last".utf8))
        }
    }

    @Test func refusesLinesOverTheLimit() throws {
        for text in ["123456\n", "123456"] {
            var splitter = LineSplitter(limit: 5)
            var bytes = ByteBuffer(string: text)
            splitter.append(&bytes)
            #expect(throws: LineSplitter.LineTooLong.self) { try splitter.next() }
        }
        var splitter = LineSplitter(limit: 5)
        var bytes = ByteBuffer(string: "12345\n")
        splitter.append(&bytes)
        #expect(try splitter.next() == Array("12345".utf8))
    }

    @Test func errorCodesAreAllDifferent() {
        let numbers = ControlError.Code.allCases.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0 == -32603 || $0 > 1000 })
    }
}
