import ParlanceErrorCode
import ParlanceWords
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ControlPaths {
    /// Writes the path of the served socket to the data folder, so that every command finds it. The daemon calls this
    /// once it serves.
    package func publish() throws(ControlError) {
        try SocketFile.prepareFolder(dataDirectory, for: socketToServe)
        do throws(Errno) {
            let file = try AtomicFile(pathFile)
            try file.write(Array((socketToServe + "\n").utf8))
            try file.replace()
        } catch { throw cannotPublish(error) }
    }

    /// Removes that file; the daemon calls this when it stops.
    package func withdraw() {
        unlink(pathFile)
    }

    private func cannotPublish(_ reason: Errno) -> ControlError {
        ControlError(
            .socketFailed,
            "\(pathFile) cannot be written: \(reason).",
            advice: "Check that the data folder is yours and that the disk is not full."
        )
    }
}
