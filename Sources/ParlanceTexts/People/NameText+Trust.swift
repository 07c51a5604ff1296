package import ParlanceControl
package import ParlanceWords

extension NameText {
    /// `Ada ✓`.
    package static func marked(_ name: String, _ trust: Trust?) -> String {
        trust == .verified ? "\(plain(name)) \(mark)" : plain(name)
    }
}
