import ParlanceCore
import ParlanceHistory
import ParlanceWire

// Checks that whoever may see somebody's picture has it in the end, and that nobody else learns of it (contacts.md,
// "Pictures").
extension Checker {
    /// A node tells of its picture, and sends it, only to those that it has accepted or that share a group with it.
    func checkPicture(_ told: PictureID?, on link: LinkID, _ node: Int) {
        guard let told, world.nodes[node].engine?.isSettled == true, !world.nodes[node].trouble.breaks,
            let other = world.pipes[link]?.ends.first(where: { $0.link != link })?.node, other != node
        else { return }
        let disk = world.nodes[node].disk
        if disk.pictures[disk.identity]?.id != told {
            return violate("\(name(node)) tells of a picture that is not on its disk")
        }
        if !maySeePicture(other, of: node) {
            violate("\(name(node)) tells \(name(other)) of its picture, which may not see it")
        }
    }

    private func maySeePicture(_ other: Int, of node: Int) -> Bool {
        let (disk, id) = (world.nodes[node].disk, world.nodes[other].identity)
        if disk.peers[id]?.isFriend == true { return true }
        return disk.peers[id]?.trust != .blocked
            && disk.memberships.values.contains { $0.isMember(id) && $0.isMember(disk.identity) }
    }

    func notePictureGiven(on link: LinkID, _ node: Int) {
        guard let peer = watches[node].links.links[link]?.peer else { return }
        watches[node].links.picturesGiven[peer, default: []].append(world.now)
    }

    /// Of two that have accepted each other, each has the other's newest picture, unless there were too many lately. An
    /// older program knows no pictures.
    func checkPicture(of peer: Int, at node: Int) {
        guard ![peer, node].contains(where: { $0 == world.network.older }) else { return }
        let lately = { (times: [Int64]?) in (times ?? []).filter { $0 > self.world.now - 3_600_000 }.count }
        let isOften =
            lately(watches[node].links.picturesCame[peer]) >= 6 || lately(watches[peer].links.picturesGiven[node]) >= 12
        let id = world.nodes[peer].identity
        let (own, held) = (world.nodes[peer].disk.pictures[id], world.nodes[node].disk.pictures[id])
        guard own?.id != held?.id, !isOften else { return }
        violate("\(name(node)) shows another picture of \(name(peer)) than that of now")
    }
}
