/// Words in the names of people.
extension Lexicon {
    /// Titles, which are no names by themselves.
    static let titles = Phrases(
        "dr mr mrs ms prof frau herr coach trainer trainerin kapitän captain chef the"
    )

    /// Words within surnames, which are articles and prepositions elsewhere.
    static let nameParticles = Phrases(
        "von vom van de der den dem des das zu zum zur ten ter te du del della di da do dos la las le les lo los el y bin ibn"
    )

    /// Names that are common words as well: they count with a capital only.
    static let ambiguousNames = Phrases("will mark may max rose bill pat sue grace hope art june april ray rich")
}
