import Foundation
import GRDB

extension Row {
    /// The value of a column.
    ///
    /// - Throws: if the value has another type, as in a damaged file. GRDB's subscripts would end the program.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        try decode(forColumn: column)
    }

    func bytes(_ column: String) throws -> [UInt8]? {
        let data: Data? = try value(column)
        return data.map { [UInt8]($0) }
    }
}
