import ParlanceWords

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
        let draft = pathFile + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw cannotPublish() }
        let line = Array((socketToServe + "\n").utf8)
        let written = write(descriptor, line, line.count)
        let closed = close(descriptor)
        guard written == line.count, closed == 0, rename(draft, pathFile) == 0 else { throw cannotPublish() }
    }

    /// Removes that file; the daemon calls this when it stops.
    package func withdraw() {
        unlink(pathFile)
    }

    private func cannotPublish() -> ControlError {
        ControlError(
            .socketFailed,
            "\(pathFile) cannot be written: \(String(cString: strerror(errno))).",
            advice: "Check that the data folder is yours and that the disk is not full."
        )
    }
}
