import Foundation
import Testing

@testable import parlance_bench

@Suite struct DaemonLineTests {
    @Test func aReplyHasAnIDAndNumbers() {
        with(#"{"jsonrpc":"2.0","id":1207,"result":{"id":"3f9a","conversation":"k2vd","sequence":12,"time":""}}"#) {
            #expect($0.replyID == 1207)
            #expect($0.number(after: "\"sequence\":") == 12)
            #expect($0.number(after: "\"size\":") == nil)
            #expect(!$0.isEvent("status\""))
        }
    }

    @Test func anEventHasAKindAndNoID() {
        with(
            #"{"jsonrpc":"2.0","method":"event","params":{"subscription":1,"type":"status","data":{"id":7}}}"#
        ) {
            #expect($0.replyID == nil)
            #expect($0.isEvent("status\""))
            #expect(!$0.isEvent("stat\""))
            #expect($0.has("\"data\":"))
        }
    }

    @Test(arguments: ["", "{", #"{"jsonrpc":"2.0","id":"#, #"{"jsonrpc":"2.0","id":null}"#])
    func aShortLineHasNothing(text: String) {
        with(text) {
            #expect($0.replyID == nil)
            #expect($0.number(after: "\"sequence\":") == nil)
        }
    }

    private func with(_ text: String, _ body: (DaemonLine) -> Void) {
        Array(text.utf8).withUnsafeBytes { body(DaemonLine(bytes: $0)) }
    }
}
