import Dispatch
import ParlanceControl
import ParlanceSodium

// The passphrase of the identity file.
extension LocalControl {
    /// One change at a time; each takes a second and much memory.
    private static let changes = DispatchQueue(label: "parlance.control.passphrase", qos: .userInitiated)

    func passphrase(_ request: PassphraseRequest, _ reply: @escaping Reply) {
        Self.changes.async { [facts] in
            if let new = request.new, let fault = PassphrasePrompt.fault(Array(new.utf8)) {
                let advice = "Nothing was changed. Several words that nobody would guess are good."
                return reply(.failure(ControlError(.invalidValue, fault, advice: advice)))
            }
            do throws(DaemonError) {
                let old = request.current.map { SecretBytes(copying: Array($0.utf8)) }
                let new = request.new.map { SecretBytes(copying: Array($0.utf8)) }
                try IdentityFile(in: facts.now.dataPath).change(from: old, to: new)
                facts.setProtected(new != nil)
                reply(.success(.done))
            } catch {
                reply(.failure(ControlError(.notAllowed, error.message, advice: error.advice)))
            }
        }
    }
}
