/// The file systems that keep their files on another machine. The message store needs locks that everybody sees, memory
/// that all its processes share, and a sync that reaches a disk; these promise none of it, or not always.
enum NetworkFileSystem {
    /// By the type that statfs(2) gives.
    static let kinds: [UInt32: String] = [
        // Locks and syncs depend on the server and the mount's options; memory is not shared between machines.
        0x0000_6969: "nfs",
        // Windows servers and Samba: locks are the server's own, and a lost connection loses what was written.
        0x0000_517B: "smb",
        0xFE53_4D42: "smb2",
        0xFF53_4D42: "cifs",
        // A file is written back when it is closed, so two machines never agree on an open one.
        0x5346_414F: "afs",
        0x6B41_4653: "afs",
        0x7375_7245: "coda",
        // Old NetWare servers: no shared memory.
        0x0000_564C: "ncp",
        // Files of a host or of another machine; its shared memory works in some of its modes only.
        0x0102_1997: "9p",
        // Storage of many machines, with a delay for each lock and sync, and mounted by several at once.
        0x00C3_6400: "ceph",
        0x0BD0_0BD0: "lustre",
        0x0116_1970: "gfs2",
        0x7461_636F: "ocfs2",
    ]

    /// The type of all file systems that a program serves. Some keep their files here, such as encrypted folders, so
    /// the program decides.
    static let fuse: UInt32 = 0x6573_5546

    /// The programs for FUSE that keep their files on another machine.
    static let programs: Set<String> = [
        "sshfs", "rclone", "s3fs", "goofys", "davfs", "davfs2", "curlftpfs", "smbnetfs", "glusterfs", "ceph-fuse",
        "gvfsd-fuse", "juicefs", "mfs", "onedriver", "google-drive-ocamlfuse",
    ]

    /// The program that serves a device, if it is one of these.
    ///
    /// - Parameter mounts: the text of `/proc/self/mountinfo`: the third field of a line is the device, and the field after
    ///   ` - ` is `fuse.PROGRAM`.
    static func program(of device: String, in mounts: String) -> String? {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == device, let dash = fields.firstIndex(of: "-"),
                fields.indices.contains(dash + 1), fields[dash + 1].hasPrefix("fuse.")
            else { continue }
            let program = String(fields[dash + 1].dropFirst("fuse.".count))
            if programs.contains(program) { return program }
        }
        return nil
    }
}
