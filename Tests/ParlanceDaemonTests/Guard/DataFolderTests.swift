import Foundation
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The places where no data folder may be.
@Suite struct DataFolderTests {
    @Test func aFolderOnAnotherMachineIsRefused() throws {
        let error = #expect(throws: DaemonError.self) {
            try DataFolder(path: "/home/ada/data") { $0 == "/home/ada/data" ? "nfs" : nil }.check()
        }
        #expect(error?.message.english.contains("/home/ada/data is on another machine (nfs)") == true)
        #expect(error?.advice.english.contains("--data-dir") == true)
    }

    /// The disks of the machine that runs the tests, and a folder that is yet to be made.
    @Test func aFolderOfThisMachineIsNot() throws {
        for path in ["/", "/dev/shm", "/proc", NSTemporaryDirectory() + "none/\(UUID())/data"] {
            #expect(DataFolder.networkFileSystem(of: path) == nil, "\(path)")
            try DataFolder(path: path).check()
        }
    }

    @Test func everyNetworkFileSystemOfTheKernelIsKnown() {
        let types: [(UInt32, String)] = [
            (0x6969, "nfs"), (0x517B, "smb"), (0xFE53_4D42, "smb2"), (0xFF53_4D42, "cifs"), (0x5346_414F, "afs"),
            (0x7375_7245, "coda"), (0x564C, "ncp"), (0x0102_1997, "9p"), (0x00C3_6400, "ceph"),
        ]
        for (type, name) in types { #expect(NetworkFileSystem.kinds[type] == name) }
        // ext4, tmpfs, btrfs, xfs, overlay, zfs, f2fs, ecryptfs and whatever FUSE serves are judged otherwise.
        let local: [UInt32] = [
            0xEF53, 0x0102_1994, 0x9123_683E, 0x5846_5342, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010, 0xF15F,
            NetworkFileSystem.fuse,
        ]
        for type in local { #expect(NetworkFileSystem.kinds[type] == nil) }
    }

    @Test func theProgramDecidesForFUSE() {
        let mounts = """
            36 35 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            70 36 0:52 / /home/ada/far rw,nosuid shared:2 master:3 - fuse.sshfs ada@ship:/ rw,user_id=1000
            71 36 0:53 / /home/ada/vault rw,nosuid - fuse.gocryptfs /home/ada/.vault rw,user_id=1000
            72 36 0:54 / /mnt/a\\040b rw - fuseblk /dev/sdb1 rw
            73 36 0:55
            """
        #expect(NetworkFileSystem.program(of: "0:52", in: mounts) == "sshfs")
        for device in ["8:1", "0:53", "0:54", "0:55", "0:5", ""] {
            #expect(NetworkFileSystem.program(of: device, in: mounts) == nil, "\(device)")
        }
    }
}
