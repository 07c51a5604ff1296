/// The version of Parlance, the same in the daemon and the command.
package enum ParlanceVersion {
    package static let text = "0.1.0"
}
