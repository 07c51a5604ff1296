import Foundation
import GRDB
import GRDBSQLite
import ParlanceHistory
package import ParlanceWords

/// Why the store could not perform a request: what happened, and what a person can do about it.
///
/// Whatever the code, a transaction is whole or absent, and no caller is told of a failed one as if it were stored.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Equatable, Sendable {
        /// The disk is full, or the store's own limit is reached. Nothing was written. It works again once there is
        /// room.
        case full
        /// Another program has locked the database. Nothing was written; the request can be repeated.
        case busy
        /// A write or sync failed, or a file is damaged. The node must stop: only opening the store again shows what is
        /// on disk.
        case fatal
        /// This program has closed the store, as it does when it stops.
        case closed
        /// A newer version wrote the store. Nothing was changed.
        case newerSchema
        /// Another process has the store open.
        case inUse
        /// The store belongs to another identity.
        case otherIdentity
        /// The file is a database, but not one of this program.
        case foreign
        /// The folder or the files could not be created or opened.
        case cannotOpen
    }

    package var code: Code
    /// The error and its reason, as a sentence.
    package var message: Phrase
    /// Advice to the user, as a sentence.
    package var advice: Phrase
    /// The message of SQLite or the system, for the log.
    package var cause: String?

    package init(_ code: Code, _ message: Phrase, advice: Phrase, cause: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
        self.cause = cause
    }

    /// Whether the node can continue: nothing was written, and the state on disk is known.
    package var canGoOn: Bool { code == .full || code == .busy }

    package var description: String {
        "\(message) \(advice)" + (cause.map { " (\($0))" } ?? "")
    }
}

/// The error that SQLite returned from a call of its C interface.
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
    /// Runs `body` and converts what it throws to `StoreError`.
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
        case HistoryError.contradiction(let what): self = .contradiction(what)
        case HistoryError.damaged(let what): self = .damaged(what)
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
        // After a failed sync the state on disk is unknown, whatever the reason.
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

    /// `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_DIR_FSYNC`, which are macros that Swift does not import.
    private static var syncFailed: Int32 { SQLITE_IOERR | (4 << 8) }
    private static var folderSyncFailed: Int32 { SQLITE_IOERR | (5 << 8) }

    static func noRoom(_ cause: String) -> StoreError {
        StoreError(
            .full,
            "There is no room left for the message store.",
            advice: "Make room on the disk that holds it, then try again; nothing was lost.",
            cause: cause
        )
    }

    /// A write, sync or read failed, or the contents of the file contradict each other.
    static func damaged(_ cause: String) -> StoreError {
        StoreError(
            .fatal,
            "The message store could not be read or written.",
            advice: "Check the disk, then start again; if it fails again, restore the store from a backup.",
            cause: cause
        )
    }

    /// A batch does not continue what is stored: memory and disk disagree, so the node must stop.
    static func contradiction(_ what: String) -> StoreError {
        StoreError(
            .fatal,
            "What was to be stored does not continue what the message store holds.",
            advice: "Start again; if it happens again, report it.",
            cause: what
        )
    }
}
