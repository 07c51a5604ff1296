/// `language`: the language of the texts for people on this connection, which the connection itself keeps
/// (protocol/control.md, "Languages"). The reply is the language that is spoken from now on.
package struct LanguageOperation: ControlOperation {
    package typealias Reply = LanguageOperation
    package static let method = "language"

    /// A tag such as `de` or `de-AT` (BCP 47).
    package var language: String
    /// The options that the commands in these texts need (`CommandOptions`); absent if none.
    package var options: String?

    package init(language: String, options: String? = nil) {
        (self.language, self.options) = (language, options)
    }
}
