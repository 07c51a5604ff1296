import Foundation
import GRDB
import GRDBSQLite

/// Why the store could not do what it was asked: what happened, and what a person can do about it.
///
/// Whatever the code, nothing of a failed batch is in the store that anybody is told of: a transaction is whole or absent.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Equatable, Sendable {
        /// No room on the disk, or the store's own limit. Nothing was written; it works again once there is room.
        case full
        /// Another program holds the database locked. Nothing was written; it can be tried again.
        case busy
        /// A failed write or sync, or a damaged file. The node must stop: what is on disk is known only after opening anew.
        case fatal
        /// Written by a newer version. Nothing was touched.
        case newerSchema
        /// Another process has the store open.
        case inUse
        /// The store belongs to another identity.
        case otherIdentity
        /// The file is a database, but not of this program.
        case foreign
        /// The folder or the files could not be made or opened.
        case cannotOpen
    }

    package var code: Code
    /// What went wrong and why, as a sentence.
    package var message: String
    /// What to do, as a sentence.
    package var advice: String
    /// SQLite's or the system's own words, for the log.
    package var cause: String?

    package init(_ code: Code, _ message: String, advice: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
        self.cause = cause
    }

    /// Whether the node can go on: nothing was written and nothing is in doubt.
    package var canGoOn: Bool { code == .full || code == .busy }

    package var description: String {
        "\(message) \(advice)" + (cause.map { " (\($0))" } ?? "")
    }
}

/// What SQLite answered to a call of its C interface.
struct SQLiteFailure: Error {
    let code: Int32
    let message: String
    /// The `errno` of the system call behind it, or 0.
    let systemError: Int32

    init(connection: OpaquePointer?) {
        code = sqlite3_extended_errcode(connection)
        message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown error"
        systemError = sqlite3_system_errno(connection)
    }
}

extension StoreError {
    /// Runs `body` and gives whatever it throws its place among the store's errors.
    static func catching<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch {
            throw StoreError(error)
        }
    }

    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteFailure:
            self.init(sqliteCode: error.code, words: error.message, systemError: error.systemError)
        case let error as DatabaseError:
            let words = error.message ?? "no message"
            self.init(sqliteCode: error.extendedResultCode.rawValue, words: words, systemError: 0)
        default:
            self = .damaged("unexpected: \(type(of: error))")
        }
    }

    private init(sqliteCode code: Int32, words: String, systemError: Int32) {
        let cause = "SQLite error \(code): \(words)" + (systemError == 0 ? "" : ", system error \(systemError)")
        switch code & 0xFF {
        case SQLITE_FULL: self = .noRoom(cause)
        // A sync that failed leaves nobody knowing what is on the disk, whatever the reason was.
        case SQLITE_IOERR
        where code != Self.syncFailed && code != Self.folderSyncFailed
            && (systemError == ENOSPC || systemError == EDQUOT):
            self = .noRoom(cause)
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(
                .busy,
                "Another program holds the message store locked.",
                advice: "Close whatever has opened store.sqlite, then try again.",
                cause: cause
            )
        default: self = .damaged(cause)
        }
    }

    /// `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_DIR_FSYNC`, which are macros that Swift does not see.
    private static var syncFailed: Int32 { SQLITE_IOERR | (4 << 8) }
    private static var folderSyncFailed: Int32 { SQLITE_IOERR | (5 << 8) }

    private static func noRoom(_ cause: String) -> StoreError {
        StoreError(
            .full,
            "There is no room left for the message store.",
            advice: "Make room on the disk that holds it, then try again; nothing was lost.",
            cause: cause
        )
    }

    /// A write, a sync or a read failed, or what is in the file contradicts itself.
    static func damaged(_ cause: String) -> StoreError {
        StoreError(
            .fatal,
            "The message store could not be read or written.",
            advice: "Check the disk, then start again; if it fails again, restore the store from a backup.",
            cause: cause
        )
    }

    /// A batch that does not continue what is stored: memory and disk disagree, so neither may go on.
    static func contradiction(_ what: String) -> StoreError {
        StoreError(
            .fatal,
            "What was to be stored does not continue what the message store holds.",
            advice: "Start again; if it happens again, report it.",
            cause: what
        )
    }
}
