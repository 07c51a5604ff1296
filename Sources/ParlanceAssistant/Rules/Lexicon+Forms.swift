/// Words of the forms that assign a task by the shape of a clause.
extension Lexicon {
    /// Words that mean the sender beside an arrow.
    static let ownWords = Phrases("me ich mich i")

    /// Words that mean the reader.
    static let readers = Phrases("you u ya du dir euch ihr ihnen")

    /// Adjectives and verbs of a wish: "would be great if", "wäre super, wenn".
    static let wishes = Phrases(
        "great good nice lovely helpful awesome brilliant fantastic wonderful super appreciate appreciated",
        "appreciated glad",
        "grateful help helps cool amazing perfect ideal better best happy love thankful sweet handy useful kind",
        "gut super toll nett lieb schön prima klasse hilfreich dankbar spitze cool perfekt fein praktisch froh",
        "freuen helfen",
        "besser genial hammer top ideal glücklich mega stark prima"
    )

    /// The conditions of a wish.
    static let wishConditions = Phrases("if wenn")

    /// Who can be asked in a wish.
    static let wishSubjects = Phrases(
        "you u y'all someone somebody anyone anybody everyone everybody du ihr jemand einer wer man sie alle",
        "jeder we wir"
    )

    /// Words for nobody in particular.
    static let anybody = Phrases(
        "someone somebody anyone anybody everyone everybody jemand einer wer man alle jeder we wir"
    )

    /// The sender and those with the sender: a wish about them asks nobody.
    static let speakers = Phrases("we wir man i ich")

    /// Verbs with which the sender receives something.
    static let receptions = Phrases("have get bekommen haben kriegen hätten")

    /// Words between the subject and the verb of a wish.
    static let wishModals = Phrases("could can would will were able to please might bitte mir uns")

    /// Requests for a thing. They need a day.
    static let thingRequests = Phrases(
        "can i get,can i have,could i get,could i have,may i have,can we get,can we have,could we have,",
        "could we get,",
        "i'd like,i would like,i expect,i'm expecting,kann ich bitte,ich hätte gern,ich hätte gerne,ich erwarte,"
    )

    /// Participles that do not end in "-ed" or "-en".
    static let participles = Phrases(
        "done sent paid made put cut sold told built bought brought kept left set shut found held hung read",
        "ready there here",
        "back in out on off online gone up down reset swept dealt fed spent lent bound wound split spun swung laid"
    )

    /// "gehört geputzt".
    static let belongings = Phrases("gehört gehören")

    /// Where a thing must go: "muss heute noch raus".
    static let places = Phrases("raus rein weg fertig zurück runter hoch rauf hin her rüber ab los")

    /// German words that are subjects of a finite verb.
    static let germanSubjects = Phrases(
        "ich wir er sie es man du ihr wollen sollen müssen können dürfen wurde wurden wird hat habe hab war",
        "waren ist sind bin werden würden möchten haben kann will soll muss"
    )

    /// Openers that give the reader a task by a noun: "you're on drinks".
    static let readerDuties = Phrases(
        "you're on,your on,you are on,you're in charge of,you are in charge of,you're responsible for,",
        "you're doing,",
        "you're bringing,you're handling,you're covering,you take care of,you look after,you're to,you are to,",
        "you're supposed to,you are supposed to,your turn to,it's your turn to,it is your turn to,",
        "it's on you to,it's up to you to,please go and,du bist für,du bist dran mit,du übernimmst,ihr seid für,",
        "du kümmerst dich um,ihr kümmert euch um,ihr übernehmt,du bist heute dran mit,"
    )

    /// Words after the name of a member that give a task by a noun: "Tom is in charge of drinks".
    static let memberDuties = Phrases(
        "you're on,your on,you are on,you're in charge of,you are in charge of,you're responsible for,is on,",
        "is in charge of,",
        "is responsible for,is doing,is handling,is covering,looks after,is looking after,has got,is down for,",
        "du bist für,ist für,ist zuständig für,ist verantwortlich für,ist dran mit,gets to,owns,",
        "is going to,is supposed to,is to,volunteered to,volunteers to,agreed to,offered to,",
        "hat sich bereit erklärt,"
    )

    /// Words after "Tom is on" that name no task.
    static let memberStates = Phrases(
        "holiday holidays leave vacation it his her their time a fire the sick duty call board top urlaub pause",
        "mich dich",
        "uns alle fire great fine well ok good right track time okay better amazing immer gerade das so nichts"
    )

    /// Ends of a clause that give its subject to the reader.
    static let possessions = Phrases(
        "is yours,are yours,is on you,are on you,is your job,are your job,is with you,ist deins,sind deins,",
        "ist dein job,",
        "ist deine aufgabe,ist eure aufgabe,liegt bei dir,ist dein part,geht an dich,is your task,is down to you,"
    )

    /// Openers before a gerund.
    static let progressiveOpeners = Phrases("i'm,im,i am,")

    /// Gerunds of journeys and talks, which are no tasks.
    static let travels = Phrases(
        "seeing going coming leaving staying meeting talking working moving visiting flying driving having getting",
        "looking watching playing running walking thinking starting waiting"
    )

    /// Words beside which a verb tells of a habit or of the present.
    static let habits = Phrases(
        "always usually often never every each daily sometimes already immer meistens oft nie jeden jede jedes",
        "täglich gerade",
        "schon manchmal ständig dauernd gern gerne now again wieder currently just erst seit since"
    )

    /// Verbs of reports and states, which assign nothing.
    static let tellingVerbs = Phrases(
        "says tells asks reads gets takes comes goes looks leaves likes sees knows thinks wants needs starts",
        "stops returns",
        "plays works talks helps has does lets sagt fragt meldet ruft schreibt zeigt erklärt antwortet findet",
        "steht hilft",
        "liest fährt passt postet wohnt spielt gibt hält schaut guckt plant fängt wirft behält zahlt zählt"
    )

    /// First words of a task that shares the verb of the clause before it.
    static let sharedStarts = Phrases(
        "the a an on for all some our your his her die das den der dem ein eine einen für um auf mit"
    )

    /// Being somewhere is a task after a duty: "someone has to be at the dock".
    static let presences = Phrases(
        "be at,be there,be on,be in,be here,stay until,stay with,wait for,meet the,talk to,come in,"
    )

    /// Words that tell where a named member will be, and give no task: "Tom will be there".
    static let outlooks = Phrases("will wird", "is going to,")

    /// Hypotheses that ask for something nevertheless.
    static let hypothesisExceptions = Phrases(
        "i'd like,i'd appreciate,i'd love,i'd be,i would like,i would appreciate,i would be grateful,i'd need,",
        "i'll,hätte gern,hätte gerne,hättest du zeit,hättest du lust,hättet ihr zeit,"
    )

    /// Subjects before words such as "never forget to", which order nothing then.
    static let firstPersons = Phrases("i we they he she ich wir sie er")

    /// Last words of openers that a thing can follow: "don't forget the keys".
    static let nounOpenings = Phrases("for forget sure that ensure of dran an für bei dass daran darauf um on")

    /// Words after such openers that name nothing to do.
    static let emptyNouns = Phrases(
        "sure coming being having your kind",
        "the time,that time,me,us,i love,you are,you're,it's,what,how,who,to be,the good,my birthday,",
        "your birthday,wann,wie,was,wer,dich,mich,das,"
    )

    /// Words of a circumstance before a request: "when you get in, please …".
    static let circumstances = Phrases("when once after before sobald nachdem bevor")

    /// Words of a wish about the past.
    static let pastWishes = Phrases("been had gewesen hätte hätten hättest did")

    /// Requests that begin like a question for leave.
    static let favours = Phrases(
        "could i ask,may i ask,can i ask you to,ich dich bitten,can i get,could i get,can i have,could i have,"
    )

    /// Things that the sender needs for pleasure: no request.
    static let comforts = Phrases(
        "break coffee holiday rest sleep nap drink hug vacation urlaub pause kaffee ruhe schlaf ferien bier beer",
        "wine wein rain regen"
    )

    /// Possessives of the reader.
    static let readersOwn = Phrases("your deine deinen dein eure euren euer ihre")

    /// Verbs before a name and "to": "we need Tom to sign it".
    static let callers = Phrases("need want")

    /// Subjects of which "needs to" gives no task.
    static let vagueSubjects = Phrases("it this that what everything es das")

    /// Words before "and" that only soften the order after it.
    static let softeners = Phrases(
        "go ahead,be so kind,be a dear,be a star,be an angel,do me a favour,do me a favor,sei so gut,sei so lieb,",
        "sei so nett,seid so gut,",
        "seid so lieb,seid so nett,tu mir den gefallen,wärst du so lieb,wärst du so gut,bist du so lieb,",
        "bist du so gut,bist du so nett,"
    )

    /// Prepositions, which show that the word before them is a noun.
    static let prepositions = Phrases("im in am on at um von vom of for from für bei beim mit ist zum zur with by bis")

    /// First words of an object right after a German verb.
    static let directObjects = Phrases("den die dem dir euch ihm ihnen einen eine ein")

    /// People whom a verb moves: "bringt mich zum Lachen".
    static let objectPronouns = Phrases("mich dich uns euch me him ihn")

    /// Words before the one who gives.
    static let givers = Phrases("from von")

    /// Words for the task before: "I'll do them tonight".
    static let echoes = Phrases("it them that this do das")

    /// Words before a colon and a name that name no task.
    static let labelBlocks = Phrases(
        "from by to cc hi hello dear an von via author sender name winner quote thanks danke ps re fwd is was",
        "gewinner zitat"
    )
}
