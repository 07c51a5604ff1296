import ArgumentParser

/// A second network beside this one, and local addresses for strangers; `contrib/bench` creates both.
struct Neighbour: ParsableArguments {
    @Option(help: "A process in a second network, from which announcements are sent.")
    var neighbour: Int32?

    @Option(help: "The source address of the announcements.")
    var neighbourAddress = "10.77.0.2"

    @Option(help: "The interface that leads to that network.")
    var interface = "flood0"

    @Option(help: "The first of many local addresses that strangers use.")
    var strangers: String?
}
