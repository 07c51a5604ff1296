import ParlanceTerminal
import ParlanceWords
import Testing

@testable import parlance

/// Tables on a terminal.
@Suite struct TableTests {
    /// Terminals count different columns for some emoji: after one of them the cursor is set.
    @Test func columnsStayStraightAfterAnEmojiOfUncertainWidth() {
        var table = TextTable(["NAME", "NOTE", "END"])
        table.add([TextTable.Cell("\u{1F171}\u{FE0F} Bob"), TextTable.Cell("here"), TextTable.Cell("x")])
        table.add([TextTable.Cell("Cleo"), TextTable.Cell("\u{1F62E}\u{200D}\u{1F4A8}"), TextTable.Cell("y")])
        let terminal = TextStyle(isColoured: false, canMove: true)
        #expect(
            table.lines(style: terminal, width: 80) == [
                "NAME    NOTE  END", "\u{1F171}\u{FE0F} Bob\u{1B}[9Ghere  x",
                "Cleo    \u{1F62E}\u{200D}\u{1F4A8}\u{1B}[15Gy",
            ]
        )
        #expect(table.lines(style: TextStyle(isColoured: false), width: nil).allSatisfy { !$0.contains("\u{1B}") })
    }

    /// One long name leaves the others most of the message behind it.
    @Test(arguments: [80, 200]) func aLongNameLeavesRoomForTheMessages(width: Int) {
        var table = TextTable(["NAME", "PRESENCE", "LAST", "MESSAGE"])
        let text = "can you bring the keys of the cellar on Monday"
        for name in [String(repeating: "L", count: 190), "Anna Maria Schmidt"] {
            table.add([
                TextTable.Cell(name), TextTable.Cell("3 members"), TextTable.Cell("18:10"), TextTable.Cell(text),
            ])
        }
        let lines = table.lines(style: TextStyle(isColoured: false), width: width)
        #expect(lines.count == 3 && lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
        #expect(lines[1].contains("L…  3 members") && lines[2].hasPrefix("Anna Maria Schmidt  "))
        #expect(lines.dropFirst().allSatisfy { $0.contains(text.prefix(30)) }, "\(lines)")
    }

    /// One long name takes no room from a short last column.
    @Test func aLongNameIsCutBeforeTheLastColumnIsWrapped() {
        var table = TextTable(["ID", "NAME", "STATE"], wrapsLast: true)
        table.add([
            TextTable.Cell("abcdefgh"), TextTable.Cell(String(repeating: "日", count: 85)), TextTable.Cell("here"),
        ])
        table.add([TextTable.Cell("abcdefgi"), TextTable.Cell("b.txt"), TextTable.Cell("fetching, 23 %, 2 MiB/s")])
        let lines = table.lines(style: TextStyle(isColoured: false), width: 80)
        #expect(lines.count == 3 && lines.allSatisfy { DisplayWidth.of($0) <= 80 }, "\(lines)")
        #expect(lines[1].contains("…") && lines[1].hasSuffix("here"))
        #expect(
            table.lines(style: TextStyle(isColoured: false), width: nil)[1].contains(String(repeating: "日", count: 85))
        )
    }
}
