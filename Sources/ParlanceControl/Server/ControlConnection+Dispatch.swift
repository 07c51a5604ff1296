import NIOCore
import ParlanceErrorCode
import ParlanceWords

/// The responses of a batch, collected until all are there.
struct ResponseBatch {
    /// Elements that are not settled yet.
    var remaining: Int
    var responses = ByteBuffer()
}

extension ControlConnection {
    /// Handles one line of requests.
    func take(_ line: [UInt8]) {
        do throws(RPCError) {
            switch try RPCLine.parse(line) {
            case .single(let element): take(element, batch: nil)
            case .batch(let elements): take(elements)
            }
        } catch {
            writeResponse(.null, .failure(error))
        }
    }

    private func take(_ elements: [RPCElement]) {
        lastBatch += 1
        let number = lastBatch
        batches[number] = ResponseBatch(remaining: elements.count)
        for element in elements { take(element, batch: number) }
    }

    private func take(_ element: RPCElement, batch: Int?) {
        switch element {
        case .invalid(let id, let error):
            settle(slot(id, batch), .failure(error))
        case .call(let call):
            let slot = slot(call.id, batch)
            do throws(RPCError) {
                try perform(call, slot: slot)
            } catch {
                settle(slot, .failure(error))
            }
        }
    }

    private func slot(_ id: RPCID?, _ batch: Int?) -> OutgoingQueue.Slot {
        if let batch { return .batch(number: batch, id: id) }
        return id.map { .single($0) } ?? .unseen
    }

    private func perform(_ call: RPCCall, slot: OutgoingQueue.Slot) throws(RPCError) {
        guard !isStopping else {
            let error = ControlError(
                .stopping,
                "The daemon is stopping.",
                advice: "Nothing was done. Give the command again once the daemon runs again."
            )
            throw RPCError(error)
        }
        switch call.method {
        case SubscriptionFilter.method:
            let filter = try SubscriptionFilter(params: call.params)
            // A notification gets no response, so nobody would learn the subscription's number.
            call.id == nil ? settle(slot, .success(.object([]))) : subscribe(filter, slot: slot)
        case SubscriptionReference.method:
            unsubscribe(try SubscriptionReference(params: call.params), slot: slot)
        case IdleOperation.method:
            report(.idle(try IdleOperation(params: call.params)), slot: slot)
        case ShowsOperation.method:
            report(.shows(try ShowsOperation.checked(call.params)), slot: slot)
        case LanguageOperation.method:
            let asked = try LanguageOperation(params: call.params)
            language = Language(tag: asked.language) ?? .english
            let options = asked.options ?? ""
            commandOptions = options.utf8.count <= ControlLimits.commandOptionBytes ? options : ""
            settle(slot, encode(LanguageOperation(language: language.rawValue)))
        default:
            let perform = try methods.read(call)
            unanswered += 1
            perform { [queue, wake] answer in
                if queue.add(slot, answer) { wake() }
            }
        }
    }

    private func report(_ report: ClientReport, slot: OutgoingQueue.Slot) {
        let tell = face ?? node.registerClient()
        face = tell
        tell(report)
        settle(slot, encode(DoneReply()))
    }

    private func subscribe(_ filter: SubscriptionFilter, slot: OutgoingQueue.Slot) {
        guard subscriptions.count < ControlLimits.subscriptionsPerConnection else {
            let error = ControlError(
                .busy,
                "This connection has \(ControlLimits.subscriptionsPerConnection) subscriptions, which is the most.",
                advice: "End one with unsubscribe, or use one subscription for several kinds of events."
            )
            return settle(slot, .failure(RPCError(error)))
        }
        lastSubscription += 1
        let number = lastSubscription
        queue.open(subscription: number)
        settle(slot, encode(SubscriptionReference(subscription: number)))
        subscriptions[number] = node.subscribe(filter) { [queue, wake] event in
            if queue.add(event, subscription: number) { wake() }
        }
    }

    private func unsubscribe(_ reference: SubscriptionReference, slot: OutgoingQueue.Slot) {
        guard let token = subscriptions.removeValue(forKey: reference.subscription) else {
            let error = ControlError(
                .invalidValue,
                "There is no subscription \(reference.subscription) on this connection.",
                advice: "Use the number that subscribe returned; a subscription that lagged has ended by itself."
            )
            return settle(slot, .failure(RPCError(error)))
        }
        queue.close(subscription: reference.subscription)
        node.unsubscribe(token)
        settle(slot, encode(DoneReply()))
    }
}

// MARK: - Writing

extension ControlConnection {
    /// Writes an item of the queue.
    func write(_ item: OutgoingQueue.Item) {
        switch item {
        case .reply(let slot, let result):
            unanswered -= 1
            switch result {
            case .success(let reply): settle(slot, encode(reply))
            case .failure(let error): settle(slot, .failure(RPCError(error)))
            }
        case .event(let subscription, let event):
            // Nothing comes after the end of a subscription.
            guard let token = subscriptions[subscription] else { return }
            let isWritten = writeEvent(event, subscription: subscription)
            guard !isWritten || event is LaggedEvent else { return }
            subscriptions[subscription] = nil
            queue.close(subscription: subscription)
            node.unsubscribe(token)
            // A reader that misses an event must know of it.
            if !isWritten { _ = writeEvent(LaggedEvent(dropped: 1), subscription: subscription) }
        }
    }

    private func encode(_ reply: any Encodable) -> Result<JSON, RPCError> {
        forReader { RPCResponse.result(reply, in: language) }
    }

    /// Does something with the options of the reader, which stand in the commands of texts.
    private func forReader<Value>(_ body: () -> Value) -> Value {
        commandOptions.isEmpty ? body() : CommandOptions.$current.withValue(commandOptions, operation: body)
    }

    /// Writes a response on a line of its own, adds it to its batch, or drops it.
    private func settle(_ slot: OutgoingQueue.Slot, _ result: Result<JSON, RPCError>) {
        switch slot {
        case .single(let id): writeResponse(id, result)
        case .unseen: return
        case .batch(let number, let id):
            guard var batch = batches.removeValue(forKey: number) else { return }
            if let id {
                batch.responses.writeStaticString(batch.responses.readableBytes == 0 ? "[" : ",")
                write(id, result, to: &batch.responses)
            }
            batch.remaining -= 1
            if batch.remaining > 0 {
                batches[number] = batch
            } else if batch.responses.readableBytes > 0 {
                output.writeBuffer(&batch.responses)
                output.writeStaticString("]\n")
            }
        }
    }

    /// Writes a response on a line of its own.
    func writeResponse(_ id: RPCID, _ result: Result<JSON, RPCError>) {
        write(id, result, to: &output)
        output.writeStaticString("\n")
    }

    private func write(_ id: RPCID, _ result: Result<JSON, RPCError>, to buffer: inout ByteBuffer) {
        forReader { RPCResponse.write(id, result, in: language, to: &buffer) }
    }

    /// - Returns: false if the event cannot be written as JSON.
    private func writeEvent(_ event: any ControlEvent, subscription: Int) -> Bool {
        guard let data = forReader({ try? JSONValueEncoder.encode(event, in: language) }) else { return false }
        output.writeStaticString("{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{\"subscription\":")
        output.writeString(String(subscription))
        output.writeStaticString(",\"type\":\"")
        output.writeString(event.kind.rawValue)
        output.writeStaticString("\",\"data\":")
        JSONWriter.write(data, to: &output)
        output.writeStaticString("}}\n")
        return true
    }
}
