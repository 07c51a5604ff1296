/// The parts of an exported page that are the same in every export: its head and its style.
///
/// Tokens decide all colours, sizes and spaces; light and dark are two sets of them. A test computes the contrast of each
/// pair that is used.
enum ExportPage {
    /// How many colours there are for the names of people.
    static let colours = 8

    /// The colour of an identity, from 1: the same wherever the same identity writes.
    static func colour(of peer: String) -> Int {
        Int(peer.utf8.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) } % UInt32(colours)) + 1
    }

    /// - Parameters:
    ///   - title: escaped.
    ///   - language: a tag.
    static func head(title: String, language: String) -> [String] {
        [
            "<!DOCTYPE html>", "<html lang=\"\(language)\">", "<head>", "<meta charset=\"utf-8\">",
            // Even if a text could become markup, nothing would be run or fetched.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            "<meta name=\"referrer\" content=\"no-referrer\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<title>\(title)</title>", "<style>",
        ] + style.split(separator: "\n").map(String.init) + ["</style>", "</head>", "<body>"]
    }

    static let style = """
        :root {
          color-scheme: light dark;
          --bg: #f4f5f3; --surface: #ffffff; --line: #dfe2de; --text: #1b1f1e; --muted: #5c6663; --accent: #0f6b62;
          --own: #d9efe9; --own-text: #10312c; --own-muted: #3f5c56;
          --c1: #1b6190; --c2: #8a3f80; --c3: #7a4d08; --c4: #35682f; --c5: #5a57b5; --c6: #9a3b3b; --c7: #0f6b62; --c8: #5b5b1f;
          --s1: 4px; --s2: 8px; --s3: 12px; --s4: 16px; --s5: 24px; --r: 14px;
          --f-s: .8125rem; --f: .9375rem; --f-l: 1.0625rem; --lh: 1.45;
        }
        @media (prefers-color-scheme: dark) { :root {
          --bg: #121514; --surface: #191d1c; --line: #2c3331; --text: #e8ecea; --muted: #a3aeaa; --accent: #5fc4b4;
          --own: #173f39; --own-text: #dff5f0; --own-muted: #a9cfc7;
          --c1: #8fc3ea; --c2: #e0a3d6; --c3: #e3b673; --c4: #9bd191; --c5: #b9b7f5; --c6: #f0a3a3; --c7: #5fc4b4; --c8: #d3d38c;
        } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--bg); color: var(--text); font: 400 var(--f)/var(--lh) system-ui, "Noto Sans", sans-serif; }
        header, section { max-width: 48rem; margin: 0 auto; padding: var(--s4); }
        h1 { margin: 0; font-size: var(--f-l); color: var(--accent); }
        header p, .about { margin: 0; color: var(--muted); font-size: var(--f-s); overflow-wrap: anywhere; }
        h2 { margin: var(--s5) 0 0; font-size: var(--f-l); overflow-wrap: anywhere; }
        .day { display: flex; align-items: center; gap: var(--s3); margin: var(--s4) 0 var(--s2); color: var(--muted); font-size: var(--f-s); font-weight: 400; }
        .day::before, .day::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
        .note { margin: var(--s2) 0; color: var(--muted); font-size: var(--f-s); text-align: center; overflow-wrap: anywhere; }
        .message { display: flex; flex-direction: column; align-items: flex-start; margin: var(--s1) 0; break-inside: avoid; }
        .own { align-items: flex-end; }
        .head { margin: var(--s2) var(--s2) var(--s1); color: var(--muted); font-size: var(--f-s); }
        .bubble { max-width: min(100%, 38rem); padding: var(--s2) var(--s3); background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--r); overflow-wrap: anywhere; }
        .bubble p { margin: 0; white-space: pre-wrap; }
        .own .bubble { background: var(--own); color: var(--own-text); border-color: transparent; }
        .gone { font-style: italic; }
        blockquote { margin: 0 0 var(--s1); padding-inline-start: var(--s2); border-inline-start: 3px solid var(--accent); color: var(--muted); font-size: var(--f-s); }
        .own blockquote { color: var(--own-muted); }
        .meta { margin: var(--s1) var(--s2) 0; color: var(--muted); font-size: var(--f-s); overflow-wrap: anywhere; }
        .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); }
        .c5 { color: var(--c5); } .c6 { color: var(--c6); } .c7 { color: var(--c7); } .c8 { color: var(--c8); }
        @media print { body { background: none; } }
        """
}
