import NIOCore
import ParlanceControl
import ParlanceNode

/// Anything that a program can write to the control socket.
enum ControlFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        let step = 1 + Int(reader.byte())
        var splitter = LineSplitter(limit: 64 + 64 * Int(reader.byte()))
        let stream = reader.rest()
        do throws(LineSplitter.LineTooLong) {
            for start in stride(from: 0, to: stream.count, by: step) {
                var piece = ByteBuffer(bytes: stream[start..<min(start + step, stream.count)])
                splitter.append(&piece)
                while let line = try splitter.next() { take(line) }
            }
            if let line = splitter.rest() { take(line) }
        } catch {
            return
        }
    }

    private static func take(_ line: [UInt8]) {
        if let json = try? JSONParser.parse(line) { rewrite(json) }
        do throws(RPCError) {
            switch try RPCLine.parse(line) {
            case .single(let element): take(element)
            case .batch(let elements):
                promise(!elements.isEmpty && elements.count <= ControlLimits.batchElements, "a batch beyond its limit")
                for element in elements { take(element) }
            }
        } catch {
            rewrite(error.json())
        }
    }

    private static func take(_ element: RPCElement) {
        switch element {
        case .invalid(let id, let error):
            rewrite(id.json)
            rewrite(error.json())
        case .call(let call):
            guard let operation = NodeOperations.definitions.first(where: { $0.method == call.method }) else {
                return rewrite(RPCError.methodNotFound(call.method, known: []).json())
            }
            read(operation, call.params)
        }
    }

    /// An operation that was read, then written and read again, is the same operation.
    private static func read<Operation: ControlOperation>(_ type: Operation.Type, _ params: JSON?) {
        let operation: Operation
        do throws(RPCError) {
            operation = try Operation(params: params)
        } catch {
            return rewrite(error.json())
        }
        do {
            promise(try Operation(params: operation.params()) == operation, "\(type) is read as something else")
        } catch {
            fatalError("\(type) cannot be read again: \(error)")
        }
    }

    /// JSON that was read, then written and read again, is the same JSON.
    private static func rewrite(_ json: JSON) {
        var buffer = ByteBuffer()
        JSONWriter.write(json, to: &buffer)
        let text = Array(buffer.readableBytesView)
        promise((try? JSONParser.parse(text)) == json, "JSON changes when it is written again")
        promise(!text.contains(UInt8(ascii: "\n")), "a line break within a line")
    }

    static var seeds: [[UInt8]] {
        let calls = NodeOperations.definitions.map { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\($0.method)\"}" }
        let parameters = [
            #""send","params":{"who":"Bob","text":"a\u00e9\ud83d\ude00\n\"b"}"#,
            #""history","params":{"who":"Bob","before":"abc","limit":50}"#,
            #""search","params":{"query":"tea from:Bob","order":"newest","offset":1,"limit":2}"#,
            #""group.create","params":{"title":"Crew","members":["Bob","Cleo"]}"#,
            #""group.add","params":{"group":"Crew","members":["Dan"]}"#, #""name","params":{"name":"Ada"}"#,
            #""group.rename","params":{"group":"Crew","title":"x"}"#, #""read","params":{"who":"Bob"}"#,
            #""reply","params":{"id":"0123abcd","text":"yes"}"#, #""presence","params":{"activity":"busy"}"#,
            #""react","params":{"id":"0123abcd","emoji":"x","removed":true}"#,
            #""subscribe","params":{"events":["message","peer"]}"#, #""alias","params":{"who":"Bob","alias":"B"}"#,
        ].map { "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\($0)}" }
        let odd = ["[1,-0.5e3,1E-2,true,false,null,[],{}]", "[" + calls.prefix(3).joined(separator: ",") + "]", "{}"]
        return (calls + parameters + odd).map { [200, 200] + Array($0.utf8) + [10] }
    }
}
