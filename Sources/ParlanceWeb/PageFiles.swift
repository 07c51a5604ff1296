package import ParlanceControl
package import ParlanceWords

/// What a file of the user became when it was copied to the place where the node takes it.
package struct PageFileFacts: Sendable {
    package var width: Int?
    package var height: Int?
    /// What the sender has to know, in whole sentences.
    package var notes: [Phrase]

    package init(width: Int?, height: Int?, notes: [Phrase]) {
        (self.width, self.height, self.notes) = (width, height, notes)
    }
}

/// Copies what a descriptor gives until its end to the place of `file.prepare`, and removes from pictures what says where
/// they were taken, unless `keepMetadata`. It blocks its thread.
package typealias PageFileCopy =
    @Sendable (
        _ descriptor: Int32, _ name: String, _ place: FilePrepareReply, _ keepMetadata: Bool
    ) -> Result<PageFileFacts, ControlError>
