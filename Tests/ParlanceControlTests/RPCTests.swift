import NIOCore
import ParlanceErrorCode
import ParlanceWords
import Testing

@testable import ParlanceControl

@Suite struct RPCTests {
    /// A method, its parameters as JSON text, and the operation that they mean.
    private struct Case {
        var method: String
        var params: String?
        var operation: any ControlOperation

        init(_ method: String, _ params: String?, _ operation: any ControlOperation) {
            (self.method, self.params, self.operation) = (method, params, operation)
        }
    }

    /// The methods of a node, of which none is performed.
    private static let methods: ControlMethods = {
        func add<Operation: ControlOperation>(_ type: Operation.Type, to methods: inout ControlMethods) {
            methods.add(type) { _, _ in Issue.record("it is only read") }
        }
        var methods = ControlMethods()
        for operation in NodeFront.operations { add(operation, to: &methods) }
        return methods
    }()

    private func refusal(_ method: String, _ params: String) throws -> RPCError? {
        let json = try JSONParser.parse(Array(params.utf8))
        do throws(RPCError) {
            switch method {
            case "subscribe": _ = try SubscriptionFilter(params: json)
            default: _ = try Self.methods.read(RPCCall(id: .integer(1), method: method, params: json))
            }
            return nil
        } catch {
            return error
        }
    }

    private static let who = #"{"who":"Bob"}"#
    private static let id = #"{"id":"m"}"#
    private static let text = #"{"id":"m","text":"x"}"#
    private static let group = #"{"group":"Crew"}"#
    private static let people = #"{"group":"Crew","who":["Bob"]}"#

    private static let own: [Case] = [
        Case("status", nil, StatusOperation()),
        Case("id", #"{}"#, IDOperation()),
        Case("passphrase", #"{"new":"x"}"#, PassphraseOperation(new: "x")),
        Case("name", nil, NameOperation()),
        Case("name", #"{"name":"Eve"}"#, NameOperation(name: "Eve")),
        Case("picture", #"{"who":"Bob","content":true}"#, PictureOperation(who: "Bob", content: true)),
        Case("picture", #"{"new":"AA=="}"#, PictureOperation(new: "AA==")),
        Case("idle", #"{"idle":true}"#, IdleOperation(idle: true)),
        Case("shows", #"{"conversation":"c"}"#, ShowsOperation(conversation: "c")),
        Case("language", #"{"language":"de"}"#, LanguageOperation(language: "de")),
        Case("presence", #"{"state":"busy"}"#, PresenceOperation(state: .busy)),
        Case("doctor", nil, DoctorOperation()),
        Case("stats", nil, StatsOperation()),
        Case("backup", nil, BackupOperation()),
        Case("carry.files", who, CarryFilesOperation(who: "Bob")),
        Case("carry.pack", #"{"who":"Bob","slot":0}"#, CarryPackOperation(who: "Bob", slot: 0)),
        Case(
            "carry.pack",
            #"{"who":"Bob","slot":1,"after":"end","existing":"00"}"#,
            CarryPackOperation(who: "Bob", slot: 1, after: "end", existing: "00")
        ),
        Case("carry.choose", #"{"who":"Bob","limit":5}"#, CarryChooseOperation(who: "Bob", limit: 5)),
        Case(
            "carry.pack",
            #"{"who":"Bob","slot":0,"files":[{"file":"f","size":1,"key":"00","slot":3}]}"#,
            CarryPackOperation(who: "Bob", slot: 0, files: [SealedFileInfo(file: "f", size: 1, key: "00", slot: 3)])
        ),
        Case("carry.take", #"{"who":"Bob","slot":0,"file":"00"}"#, CarryTakeOperation(who: "Bob", slot: 0, file: "00")),
        Case("config.list", nil, ConfigListOperation()),
        Case("config.reload", nil, ConfigReloadOperation()),
        Case("page.open", nil, PageOpenOperation()),
    ]

    private static let peers: [Case] = [
        Case("peers", nil, PeersOperation()),
        Case("alias", #"{"who":"Bob","name":""}"#, AliasOperation(who: "Bob", name: "")),
        Case("forget", who, ForgetOperation(who: "Bob")),
        Case("allow", who, AllowOperation(who: "Bob")),
        Case("seen", who, SeenOperation(who: "Bob")),
        Case("courier", #"{"who":"Bob","remove":true}"#, CourierOperation(who: "Bob", remove: true)),
        Case("requests", nil, RequestsOperation()),
        Case("accept", who, AcceptOperation(who: "Bob")),
        Case("decline", who, DeclineOperation(who: "Bob")),
        Case("block", who, BlockOperation(who: "Bob")),
        Case("unblock", who, UnblockOperation(who: "Bob")),
        Case("verify", who, VerifyOperation(who: "Bob")),
        Case("verify", #"{"who":"Bob","scanned":"x"}"#, VerifyOperation(who: "Bob", scanned: "x")),
        Case("verify", #"{"who":"Bob","confirm":false}"#, VerifyOperation(who: "Bob", confirm: false)),
    ]

    private static let messages: [Case] = [
        Case("send", #"{"who":"Bob","text":"x"}"#, SendOperation(who: "Bob", text: "x")),
        Case("reply", text, ReplyOperation(id: "m", text: "x")),
        Case("edit", text, EditOperation(id: "m", text: "x")),
        Case("delete", id, DeleteOperation(id: "m")),
        Case("react", #"{"id":"m","emoji":"👍"}"#, ReactOperation(id: "m", emoji: "👍")),
        Case("info", id, InfoOperation(id: "m")),
        Case("info", #"{"id":"last","others":true}"#, lastOfOthers),
        Case("conversations", nil, ConversationsOperation()),
        Case("history", #"{"who":"Bob","limit":3}"#, HistoryOperation(who: "Bob", limit: 3)),
        Case("history", #"{"who":"Bob","after":""}"#, HistoryOperation(who: "Bob", after: "")),
        Case("history", #"{"who":"Bob","around":"m"}"#, HistoryOperation(who: "Bob", around: "m")),
        Case("history", #"{"who":"Bob","unread":true}"#, HistoryOperation(who: "Bob", unread: true)),
        Case("search", #"{"query":"tea"}"#, SearchOperation(query: "tea")),
        Case(
            "search",
            #"{"query":"tea","order":"newest","offset":20,"limit":10}"#,
            SearchOperation(query: "tea", order: .newest, offset: 20, limit: 10)
        ),
        Case("read", who, ReadOperation(who: "Bob")),
        Case("typing", who, TypingOperation(who: "Bob")),
        Case("pin", who, PinOperation(who: "Bob")),
        Case("unpin", who, UnpinOperation(who: "Bob")),
        Case("mute", who, MuteOperation(who: "Bob")),
        Case("mute", #"{"who":"Bob","seconds":60}"#, MuteOperation(who: "Bob", seconds: 60)),
        Case("mute", #"{"who":"Bob","daily":"22:00-07:00"}"#, MuteOperation(who: "Bob", daily: "22:00-07:00")),
        Case("unmute", who, UnmuteOperation(who: "Bob")),
        Case("disappear", who, DisappearOperation(who: "Bob")),
        Case("disappear", #"{"who":"Bob","seconds":0}"#, DisappearOperation(who: "Bob", seconds: 0)),
        Case("retain", who, RetainOperation(who: "Bob")),
        Case("retain", #"{"who":"Bob","seconds":3600}"#, RetainOperation(who: "Bob", seconds: 3_600)),
        Case("conversation.clear", who, ConversationClearOperation(who: "Bob")),
        Case("conversation.delete", who, ConversationDeleteOperation(who: "Bob")),
        Case("conversation.hide", who, ConversationHideOperation(who: "Bob")),
        Case("conversation.show", who, ConversationShowOperation(who: "Bob")),
        Case("disk", nil, DiskOperation()),
        Case("assistant", nil, AssistantOperation()),
        Case("assistant", #"{"on":true}"#, AssistantOperation(on: true)),
        Case("ask", #"{"question":"when?"}"#, AskOperation(question: "when?")),
        Case("ask", #"{"question":"when?","who":"Bob"}"#, AskOperation(question: "when?", who: "Bob")),
        Case("ask", #"{"question":"when?","limit":9}"#, AskOperation(question: "when?", limit: 9)),
        Case("ask", #"{"question":"when?","turn":"t1"}"#, AskOperation(question: "when?", turn: "t1")),
        Case("ask.cancel", #"{"turn":"t1"}"#, AskCancelOperation(turn: "t1")),
        Case("talk", nil, TalkOperation()),
        Case("talk", who, TalkOperation(who: "Bob")),
        Case("talk.clear", who, TalkClearOperation(who: "Bob")),
        Case("talk.clear", #"{"all":true}"#, TalkClearOperation(all: true)),
        Case("assistant.model", #"{"path":"/m.whl"}"#, ModelInstallOperation(path: "/m.whl")),
        Case("assistant.server", nil, ModelServerOperation()),
        Case("assistant.server", #"{"address":"http://a:1"}"#, ModelServerOperation(address: "http://a:1")),
        Case(
            "assistant.server",
            #"{"address":"http://a:1","embedding":"near"}"#,
            ModelServerOperation(address: "http://a:1", embedding: "near")
        ),
        Case("summary", who, SummaryOperation(who: "Bob")),
        Case("actions", nil, ActionsOperation()),
        Case("actions", #"{"who":"Bob","due":true}"#, ActionsOperation(who: "Bob", due: true)),
        Case("actions.done", id, ActionDoneOperation(id: "m")),
        Case("actions.done", #"{"id":"m","done":false}"#, ActionDoneOperation(id: "m", done: false)),
        Case("decisions", who, DecisionsOperation(who: "Bob")),
        Case("priority", nil, PriorityOperation()),
        Case("outbox", nil, OutboxOperation()),
        Case("outbox.retry", id, OutboxRetryOperation(id: "m")),
        Case("outbox.cancel", id, OutboxCancelOperation(id: "m")),
        Case("subscribe", #"{"events":["message"]}"#, SubscriptionFilter(events: [MessageEvent.kind])),
        Case("unsubscribe", #"{"subscription":4}"#, SubscriptionReference(subscription: 4)),
    ]

    private static let groups: [Case] = [
        Case("group.create", #"{"title":"Crew","who":["Bob"]}"#, GroupCreateOperation(title: "Crew", who: ["Bob"])),
        Case("group.show", group, GroupShowOperation(group: "Crew")),
        Case("group.leave", group, GroupLeaveOperation(group: "Crew")),
        Case("group.add", people, GroupAddOperation(group: "Crew", who: ["Bob"])),
        Case("group.remove", people, GroupRemoveOperation(group: "Crew", who: ["Bob"])),
        Case("group.admin", people, GroupAdminOperation(group: "Crew", who: ["Bob"])),
        Case("group.rename", #"{"group":"Crew","title":"Watch"}"#, GroupRenameOperation(group: "Crew", title: "Watch")),
        Case("group.topic", group, GroupTopicOperation(group: "Crew")),
        Case("group.topic", #"{"group":"Crew","topic":""}"#, GroupTopicOperation(group: "Crew", topic: "")),
        Case("workspace.create", #"{"name":"Ship"}"#, WorkspaceCreateOperation(name: "Ship")),
        Case("workspace.join", #"{"code":"x"}"#, WorkspaceJoinOperation(code: "x")),
        Case("workspace.show", nil, WorkspaceShowOperation()),
        Case("workspace.leave", nil, WorkspaceLeaveOperation()),
        Case("workspace.adopt", "{}", WorkspaceAdoptOperation()),
        Case("workspace.adopt", #"{"charter":"c"}"#, WorkspaceAdoptOperation(charter: "c")),
        Case(
            "workspace.change",
            #"{"change":"exclude","who":["Bob"]}"#,
            WorkspaceChangeOperation(.exclude, who: ["Bob"])
        ),
        Case(
            "workspace.preview",
            #"{"change":"exclude","who":["Bob"]}"#,
            WorkspacePreviewOperation(.exclude, who: ["Bob"])
        ),
        Case(
            "workspace.policy",
            #"{"name":"retention","value":"90 days"}"#,
            WorkspacePolicyOperation(name: "retention", value: "90 days")
        ),
        Case(
            "workspace.invite",
            #"{"uses":20,"until":"2026-12-24"}"#,
            WorkspaceInviteOperation(uses: 20, until: "2026-12-24")
        ),
        Case("workspace.uninvite", #"{"invitation":"abcd"}"#, WorkspaceUninviteOperation(invitation: "abcd")),
        Case("workspace.import", #"{"people":"Bob,x"}"#, WorkspaceImportOperation(people: "Bob,x")),
        Case("workspace.log", #"{"after":2}"#, WorkspaceLogOperation(after: 2)),
        Case("workspace.rotate", #"{"without":["Bob"]}"#, WorkspaceRotateOperation(without: ["Bob"])),
    ]

    private static var single: FileFetchOperation {
        var operation = FileFetchOperation(id: "m")
        operation.single = true
        return operation
    }

    private static var lastOfOthers: InfoOperation {
        var operation = InfoOperation(id: "last")
        operation.others = true
        return operation
    }

    private static let files: [Case] = [
        Case("file.prepare", nil, FilePrepareOperation()),
        Case("file.add", #"{"name":"n"}"#, FileAddOperation(name: "n")),
        Case("file.path", #"{"file":"f"}"#, FilePathOperation(file: "f")),
        Case("file.path", #"{"file":"f","verify":true}"#, FilePathOperation(file: "f", verify: true)),
        Case("files", nil, FilesOperation()),
        Case("files", #"{"who":"Bob","limit":3}"#, FilesOperation(who: "Bob", limit: 3)),
        Case("file.fetch", id, FileFetchOperation(id: "m")),
        Case("file.fetch", #"{"id":"m","single":true}"#, single),
        Case("file.pause", id, FilePauseOperation(id: "m")),
        Case("file.resume", id, FileResumeOperation(id: "m")),
        Case("file.cancel", id, FileCancelOperation(id: "m")),
        Case("file.retry", id, FileRetryOperation(id: "m")),
        Case(
            "send",
            #"{"who":"Bob","text":"","files":[{"file":"f","name":"a.png","width":2,"height":3}]}"#,
            SendOperation(who: "Bob", text: "", files: [FileToSend(file: "f", name: "a.png", width: 2, height: 3)])
        ),
        Case(
            "reply",
            #"{"id":"m","text":"x","files":[{"file":"f","name":"src","folder":true}]}"#,
            ReplyOperation(id: "m", text: "x", files: [FileToSend(file: "f", name: "src", folder: true)])
        ),
    ]

    private static let cases = own + peers + messages + groups + files

    @Test func readsAndWritesEveryOperation() throws {
        func check<Operation: ControlOperation>(_ operation: Operation, _ each: Case) throws {
            #expect(Operation.method == each.method)
            let params = try each.params.map { try JSONParser.parse(Array($0.utf8)) }
            #expect(try Operation(params: params) == operation)
            #expect(try Operation(params: operation.params()) == operation)
            // An operation without parameters writes no member `params`.
            #expect(try operation.params() == (params == .object([]) ? nil : params))
        }
        for each in Self.cases { try check(each.operation, each) }
    }

    @Test func everyMethodIsRead() {
        let own = ControlMethods.ofConnection.map { $0.method }
        #expect(Set(Self.cases.map(\.method)) == Set(Self.methods.names + own))
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
    func saysWhatIsWrongWithParameters(_ method: String, _ params: String, _ message: String) throws {
        let error = try refusal(method, params)
        #expect(error?.number == -32602)
        #expect(
            error?.message.english.hasPrefix("Invalid params: \(message)") == true,
            "\(error?.message ?? "accepted")"
        )
    }

    @Test func methodNamesAreExact() throws {
        for name in ["Status", "status ", "", "rpc.discover", "outbox.", "identity"] {
            #expect(try refusal(name, "{}")?.number == -32601)
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
        #expect(error.message.english.contains(word))
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
        let numbers = ErrorCode.allCases.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0 == -32603 || $0 > 1000 })
    }
}
