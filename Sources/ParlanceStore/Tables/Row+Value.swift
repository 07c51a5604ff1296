import Foundation
import GRDB

extension Row {
    /// What a column holds.
    ///
    /// - Throws: if that is of another type, as in a damaged file. GRDB's subscripts end the program there.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        try decode(forColumn: column)
    }

    func bytes(_ column: String) throws -> [UInt8]? {
        let data: Data? = try value(column)
        return data.map { [UInt8]($0) }
    }
}
