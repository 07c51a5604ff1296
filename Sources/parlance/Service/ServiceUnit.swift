/// The systemd user unit that runs a node, and where it stands.
///
/// The package, `parlance service install` and `parlance service unit` have it from here.
struct ServiceUnit {
    /// The full path of `parlanced`.
    let program: String
    /// The profile that the node has; nil for the ordinary one.
    var profile: String?

    /// `parlanced.service`, or `parlanced-NAME.service` for a profile.
    var name: String { "parlanced" + (profile.map { "-\($0)" } ?? "") + ".service" }

    /// By this line `service remove` knows a unit that `service install` wrote.
    static let mark = "# Written by 'parlance service install'; 'parlance service remove' deletes it."

    /// The unit as a file.
    ///
    /// - Parameter mark: a line on top that says who wrote it.
    func text(mark: String? = nil) -> String {
        (mark.map { $0 + "\n" } ?? "") + """
            [Unit]
            Description=Parlance, chat for people on the same network\(profile.map { " (profile \($0))" } ?? "")
            Documentation=man:parlanced(1)

            [Service]
            Type=notify
            ExecStart=\(program)\(profile.map { " --profile \($0)" } ?? "")
            ExecReload=/bin/kill -HUP $MAINPID
            Restart=on-failure
            RestartSec=5
            # The daemon tells that it works every 20 s; a daemon that hangs is started again.
            WatchdogSec=60
            # Opening a large store after a crash, and a slow disk.
            TimeoutStartSec=300
            # Time to say goodbye to peers and to close the store.
            TimeoutStopSec=15
            LimitNOFILE=65536
            # A crash writes no keys and texts to the disk.
            LimitCORE=0
            MemoryMax=1G
            TasksMax=128

            # The daemon writes its data, its state and its socket, and nothing else. It sees only what it needs.
            NoNewPrivileges=yes
            # Without it the manager of an ordinary user cannot drop capabilities, as some lines below ask.
            PrivateUsers=yes
            ProtectSystem=strict
            ProtectHome=read-only
            # 'parlance service install' makes both folders.
            ReadWritePaths=%h/.local/share %h/.local/state %t
            PrivateTmp=yes
            PrivateDevices=yes
            ProtectClock=yes
            ProtectControlGroups=yes
            ProtectHostname=yes
            ProtectKernelLogs=yes
            ProtectKernelModules=yes
            ProtectKernelTunables=yes
            ProtectProc=invisible
            ProcSubset=pid
            # Links, mDNS, the control socket, D-Bus and Avahi; netlink reports changed addresses.
            RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
            RestrictNamespaces=yes
            RestrictRealtime=yes
            RestrictSUIDSGID=yes
            LockPersonality=yes
            MemoryDenyWriteExecute=yes
            SystemCallArchitectures=native
            SystemCallFilter=@system-service
            SystemCallFilter=~@privileged @resources
            SystemCallErrorNumber=EPERM
            UMask=0077

            [Install]
            WantedBy=default.target

            """
    }
}
