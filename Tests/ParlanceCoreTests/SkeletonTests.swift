import Foundation
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Names that look alike in other letters.
@Suite struct SkeletonTests {
    @Test(arguments: [
        ("Bob", "\u{412}ob"),  // Cyrillic Ve
        ("Bob", "B\u{43E}b"),  // Cyrillic o
        ("Bob", "\u{FF22}ob"),  // full-width B
        ("Bob", "\u{FF22}\u{FF4F}\u{FF42}"),
        ("Bob", "\u{1D401}\u{1D428}\u{1D41B}"),  // mathematical bold
        ("Alice", "A\u{406}ice"),  // Ukrainian I for l
        ("Alice", "\u{391}lice"),  // Greek Alpha
        ("Ida", "lda"),
        ("Ida", "\u{7C}da"),
        ("Oscar", "0scar"),
        ("Tom", "Torn"),
        ("Zoe\u{301}", "Zo\u{E9}"),
        ("\u{421}\u{43E}\u{440}", "Cop"),  // Сор
    ]) func theseLookAlike(_ names: (String, String)) {
        #expect(names.0.looksLike(names.1) && names.1.looksLike(names.0))
        #expect(!names.0.looks.isDisjoint(with: names.1.looks))
    }

    @Test(arguments: [
        ("Bob", "Bop"), ("Ada", "Ida"), ("Anna", "Hanna"), ("Zo\u{E9}", "Zoe"), ("Eve", "Yve"), ("Jan", "Jon"),
        ("\u{410}\u{43D}\u{43D}\u{430}", "\u{410}\u{43D}\u{44F}"),
    ]) func theseDoNot(_ names: (String, String)) {
        #expect(!names.0.looksLike(names.1))
        #expect(names.0.looks.isDisjoint(with: names.1.looks))
    }

    /// As before: upper and lower case, spaces, marks and the suffix do not tell names apart, in any script.
    @Test func caseAndMarksDoNotMatter() {
        for name in [
            "Bob", "Ida", "\u{41D}\u{430}\u{442}\u{430}\u{43B}\u{44C}\u{44F}", "\u{395}\u{3BB}\u{3AD}\u{3BD}\u{3B7}",
        ] {
            for other in [name.lowercased(), name.uppercased(), name + " \u{2713}", name + "~abcd", " " + name] {
                #expect(name.looksLike(other), "\(name) and \(other)")
            }
        }
    }

    @Test func theTableIsInOrderAndEachLineIsFound() {
        let lines = "\(Skeletons.table)".unicodeScalars.split(separator: "\n")
        #expect(lines.count > 2_000)
        var last: Unicode.Scalar?
        for line in lines {
            guard let scalar = line.first else { continue }
            #expect(last.map { $0 < scalar } ?? true)
            last = scalar
            #expect(Skeletons.skeleton(of: String(scalar)) == String(String.UnicodeScalarView(line.dropFirst())))
        }
        #expect(Skeletons.skeleton(of: "xyzXYZ\u{4E2D}\u{1F600}") == "xyzXYZ\u{4E2D}\u{1F600}")
    }

    /// Somebody who is called like a friend in other letters is shown with the suffix.
    @Test func aNewcomerInOtherLettersIsToldApart() throws {
        var friend = PeerRecord(id: try EngineBench.peer(2))
        friend.trust = .accepted
        friend.pinnedName = "Bob"
        var other = PeerRecord(id: try EngineBench.peer(3))
        other.announcedName = "\u{412}\u{43E}b"
        let contacts = Contacts([friend, other])
        #expect(contacts.displayName(of: friend) == "Bob")
        #expect(contacts.displayName(of: other) == "\u{412}\u{43E}b~\(other.id.text.prefix(4))")
        #expect(contacts.called("Bob") == [friend.id])
    }

    /// Only the program puts a check mark behind a name.
    @Test func noShownNameHasACheckMark() throws {
        var peer = PeerRecord(id: try EngineBench.peer(2))
        for (name, shown) in [
            ("Bob \u{2713}", "Bob"), ("\u{2705}Bob\u{FE0F}", "Bob"), ("\u{2714}", "?"), ("Bob", "Bob"),
        ] {
            peer.announcedName = name
            #expect(Contacts([peer]).displayName(of: peer) == shown)
        }
    }
}
