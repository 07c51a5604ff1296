import HTTPTypes
import HummingbirdCore
import NIOCore
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords
import Synchronization

/// Answers the requests of browsers (protocol/page.md, "Requests").
final class PageResponder: Sendable {
    private let keys: PageKeys
    private let requests: RequestAnswerer
    private let upload: PageUpload
    private let node: any NodeControl
    private let threads: PageThreads
    private let uploads = Mutex(0)
    private let events: PageEvents
    /// What each tab with an open stream tells of its user, by the name of the tab.
    private let faces = Mutex<[String: RequestAnswerer.Face]>([:])

    init(keys: PageKeys, node: any NodeControl, threads: PageThreads, copy: @escaping PageFileCopy) {
        self.keys = keys
        self.threads = threads
        self.node = node
        requests = RequestAnswerer(node)
        upload = PageUpload(requests: requests, threads: threads, copy: copy)
        events = PageEvents(node)
    }

    /// Ends the streams, which would keep their connections open; none begins any more.
    func stop() { events.stop() }

    func respond(to request: Request, on channel: any Channel) async -> Response {
        let response = await answer(request, channel)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ channel: any Channel) async -> Response {
        let gate = PageGate(port: UInt16(clamping: channel.localAddress?.port ?? 0))
        let asked = PageRequest(request.head)
        let route = PageRoute(asked.method, asked.path)
        var noted: String?
        let error = gate.refusal(of: asked, for: route?.access ?? .anyBrowser) { cookie in
            let isNoted = keys.use(cookie)
            if isNoted == true { noted = cookie }
            return isNoted != nil
        }
        if let error {
            let status: HTTPResponse.Status = error.code == .notSignedIn ? .unauthorized : .forbidden
            return PageAnswer.refusal(error, status, in: asked.language)
        }
        guard let route else { return PageAnswer.refusal(Self.notThere, .notFound, in: asked.language) }
        var response: Response
        do throws(ControlError) {
            response = try await answer(route, asked, request, channel, gate)
        } catch {
            response = PageAnswer.refusal(error, .badRequest, in: asked.language)
        }
        if let noted {
            await save()
            response.headers[.setCookie] = gate.settingCookie(noted)
        }
        return response
    }

    /// Only a daemon that stops has no threads; then a browser that was let in just now is let in again by hand.
    private func save() async { try? await threads.run { [keys] in keys.save() } }

    private func answer(
        _ route: PageRoute,
        _ asked: PageRequest,
        _ request: Request,
        _ channel: any Channel,
        _ gate: PageGate
    ) async throws(ControlError) -> Response {
        switch route {
        case .asset(let asset): return PageAnswer.asset(asset, asked)
        case .launch: return await launch(asked, gate)
        case .words: return PageAnswer.json(PageAssets.all.words(in: asked.language))
        case .rpc: return try await perform(asked, request.body)
        case .events: return try stream(asked, channel)
        case .upload: return try await take(asked, request)
        case .download(let file): return try await download(file, named: try Self.name(asked))
        }
    }

    /// A link that does not let the browser in goes to the page too, which says how to get a new one; a browser that was
    /// let in before needs none.
    private func launch(_ asked: PageRequest, _ gate: PageGate) async -> Response {
        guard let cookie = keys.launch(asked.query["key"] ?? "") else {
            return PageAnswer.make(.seeOther, [(.location, "/")])
        }
        await save()
        return PageAnswer.make(.seeOther, [(.location, "/"), (.setCookie, gate.settingCookie(cookie))])
    }

    private func take(_ asked: PageRequest, _ request: Request) async throws(ControlError) -> Response {
        let name = try Self.name(asked)
        guard !name.isEmpty else { throw Self.wrong("name") }
        guard let length = request.headers[.contentLength].flatMap({ UInt64($0) }) else { throw Self.wrong("length") }
        let isBusy = uploads.withLock { uploads in
            guard uploads < PageLimits.uploads else { return true }
            uploads += 1
            return false
        }
        guard !isBusy else {
            throw ControlError(
                .busy,
                "Too many files are being added at once.",
                advice: "Nothing was sent. Try it again."
            )
        }
        defer { uploads.withLock { $0 -= 1 } }
        let reply = try await upload.take(
            request.body,
            length: length,
            name: name,
            keepMetadata: asked.query["keep-metadata"] == "1"
        )
        guard let json = try? JSONValueEncoder.encode(reply, in: asked.language) else { throw Self.wrong("name") }
        return PageAnswer.json(json)
    }

    private static func name(_ asked: PageRequest) throws(ControlError) -> String {
        let name = asked.query["name"] ?? ""
        guard name.utf8.count <= PageLimits.nameBytes else { throw wrong("name") }
        return name
    }

    private func perform(_ asked: PageRequest, _ body: RequestBody) async throws(ControlError) -> Response {
        let line: ByteBuffer
        do {
            line = try await body.collect(upTo: ControlLimits.requestLineBytes)
        } catch { throw Self.wrong("body") }
        let face = asked.tab.flatMap { tab in faces.withLock { $0[tab] } }
        let answer = await requests.answer(Array(line.readableBytesView), in: asked.language, face: face)
        return answer.map(PageAnswer.bytes) ?? PageAnswer.make(.noContent)
    }

    private func stream(_ asked: PageRequest, _ channel: any Channel) throws(ControlError) -> Response {
        let drop: @Sendable () -> Void = { channel.close(promise: nil) }
        guard let stream = events.open(after: asked.lastEventID, drop: drop) else {
            throw ControlError(.busy, "Too many tabs of this page are open.", advice: "Close some of them.")
        }
        let number = stream.number
        let tab = "\(events.run)-\(number)"
        let face = node.registerClient()
        faces.withLock { $0[tab] = face }
        let beats = channel.eventLoop.scheduleRepeatedTask(
            initialDelay: .seconds(PageLimits.beatSeconds),
            delay: .seconds(PageLimits.beatSeconds)
        ) { [events] _ in events.beat(number) }
        channel.closeFuture.whenComplete { [weak self] _ in
            beats.cancel()
            self?.events.close(number)
            self?.faces.withLock { $0[tab] = nil }
            face(nil)
        }
        let writer = PageEventWriter(events: events, language: asked.language)
        return PageAnswer.make(
            .ok,
            type: PageAnswer.eventStream,
            // The stream ends with its connection.
            [(.connection, "close")],
            body: ResponseBody { [events] body in
                try await body.write(writer.hello(tab: tab))
                for await _ in stream.wakes {
                    while let item = events.next(number) { try await body.write(writer.bytes(of: item)) }
                }
                try await body.finish(nil)
            }
        )
    }

    private func download(_ file: String, named name: String) async throws(ControlError) -> Response {
        let place = try await requests.call(FilePathOperation(file: file))
        guard let download = PageDownload(place.path, size: place.size) else {
            throw ControlError(
                .notYet,
                "The file is not here as a whole any more.",
                advice: "Fetch it again, then save it."
            )
        }
        return PageAnswer.make(
            .ok,
            type: "application/octet-stream",
            [(.contentDisposition, PageDownload.disposition(name))],
            body: ResponseBody(contentLength: Int(clamping: place.size)) { [threads] body in
                try await download.write(on: threads) { try await body.write($0) }
                try await body.finish(nil)
            }
        )
    }

    private static let notThere = ControlError(
        .invalidValue,
        "The page has nothing at this address.",
        advice: "Open the page with: parlance open"
    )

    private static func wrong(_ part: String) -> ControlError {
        ControlError(
            .invalidValue,
            "The \(part) of the request cannot be used.",
            advice: "This is a defect of the page: please report it."
        )
    }
}
