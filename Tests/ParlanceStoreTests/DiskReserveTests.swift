import Foundation
import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceStore

/// The room that is kept on the disk for what makes room. `FullDiskTests` fill a disk.
@Suite struct DiskReserveTests {
    /// A batch that brings a text is refused before it takes what a batch without texts needs.
    @Test func aTextNeedsMoreThanStaysFree() throws {
        var office = try Office(seed: 431)
        #expect(PersistBatch(id: BatchID(1)).roughBytes == Limits.diskReserveLeftBytes)
        var batch = PersistBatch(id: BatchID(2))
        batch.events = [office.mine.say(String(repeating: "x", count: 1_000))]
        #expect(batch.roughBytes > Limits.diskReserveLeftBytes + 1_000)
        #expect(batch.takesRoom && !batch.mayUseReserve)
    }

    /// Forgetting and blocking somebody, cancelling a file: what the user asked for and brings no text is written on a full
    /// disk too. What strangers cause is not.
    @Test func aCommandWithoutATextUsesTheReserve() throws {
        var office = try Office(seed: 434)
        var batch = PersistBatch(id: BatchID(1))
        batch.ran = 1
        #expect(!batch.mayUseReserve)
        batch.answersCommand = true
        #expect(batch.mayUseReserve)
        batch.events = [office.mine.say("text")]
        #expect(!batch.mayUseReserve)
    }

    /// An error that says nothing of room must not keep messages out.
    @Test func whereTheFileCannotBeMadeMessagesAreStored() throws {
        var office = try Office(seed: 432)
        let path = office.test.folder + "/store.reserve"
        office.test.store.close()
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        try office.test.reopen()
        _ = try office.test.store.beginEpoch()
        try office.test.persist([office.mine.say("stored")])
        #expect(try office.texts() == ["stored"])
    }

    /// What was given away is taken again, whole, as soon as there is room.
    @Test func theRoomIsTakenAgain() throws {
        let office = try Office(seed: 433)
        let reserve = DiskReserve(in: StoreFolder(path: office.test.folder))
        func held() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: office.test.folder + "/store.reserve")
            return attributes[.size] as? Int ?? -1
        }
        reserve.afterStart()
        #expect(try held() == Int(Limits.diskReserveFileBytes))
        #expect(reserve.release())
        #expect(try held() == 0)
        #expect(reserve.restore())
        #expect(try held() == Int(Limits.diskReserveFileBytes))
    }
}
