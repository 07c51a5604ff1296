import ParlanceRecords
import ParlanceWire

// Fetching and serving files (files.md, "Asking").
extension Engine {
    var filePeers: FilePeers { FilePeers(links: links, people: people) }

    mutating func fetch(_ mention: FileMention, in conversation: ConversationID, _ id: CommandID) {
        guard conversations[conversation] != nil else { return turn.refuse(id, .message(.unknownConversation)) }
        transfers.fetch(mention, in: conversation, id, links, &turn)
    }

    mutating func answerTransfers(_ id: CommandID) {
        let views = transfers.views(at: turn.now.monotonic)
        turn.emit(.answer(id, .success(.transfers(views, transfers.uploads.views))))
    }

    /// Fetches what needs no decision of the files that a message names.
    mutating func takeOffers(of message: ShownMessage) {
        guard let files = message.rich?.files, !files.isEmpty, !message.isVoid else { return }
        for file in files {
            takeOffers([
                FileOffer(
                    conversation: message.conversation,
                    file: file.file,
                    size: file.size,
                    sender: message.log.author
                )
            ])
        }
    }

    mutating func takeOffers(_ offers: [FileOffer]) {
        for offer in offers where offer.sender != identity {
            let place = conversations[offer.conversation]
            let isGroup = place?.group != nil
            // What goes again within a minute is not fetched.
            if let place, isUnwanted(place) { continue }
            guard isGroup || contacts.isAccepted(offer.sender) else { continue }
            transfers.offered(offer.file, offer.size, in: offer.conversation, links, &turn)
            guard let link = links.main(of: offer.sender) else { continue }
            transfers.askAgain(for: offer.file, of: link.id, links, &turn)
        }
    }

    mutating func mentionRead(_ read: ReadID, _ isNamed: Bool) {
        switch turn.reads.take(read) {
        case .mention(let link, let file, let number):
            transfers.mentionRead(of: file, serving: number, on: link, isNamed: isNamed, filePeers, &turn)
        case .wish(let file): transfers.wishRead(file, isNamed: isNamed, links, &turn)
        default: break
        }
    }
}
