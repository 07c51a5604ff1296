/// Words that keep a clause from being an action.
extension Lexicon {
    /// Verbs that name no task after "I'll", "can you" and the like.
    static let stativeVerbs = Phrases(
        "the a my bed home talk leave be see have meet love miss think know like believe imagine hear remember",
        "guess feel hope wonder need want never not ignore disregard",
        "wait stay understand agree bet admit live survive join pass sleep eat hate regret say look come go laugh",
        "even ever always no only read recommend assume suggest wish forget",
        "let you know,let me know,let u know,do that,do it,do so,do this,make it,get there,get it,get back,",
        "tell me,take it,",
        "it that this you he she we they there was is are i"
    )

    /// Words that show a rhetorical question after "kannst du".
    static let rhetoricalWords = Phrases(
        "vorstellen glauben imagine believe fassen ahnen hören verstehen leiden ausstehen",
        "dir denken,dir das denken,dir vorstellen,"
    )

    /// German words after "ich" that promise no task.
    static let statesOfSender = Phrases(
        "habe hab bin war hatte denke denk finde find glaube glaub hoffe hoff würde möchte hätte könnte müsste",
        "sollte wollte",
        "treffe treff konnte musste mag weiß wüsste sehe seh höre hör verstehe versteh meine mein freue freu",
        "liebe brauche brauch will",
        "kenne kenn gehe geh komme komm bleibe bleib fahre fahr fliege arbeite arbeit sitze sitz stehe steh",
        "liege wäre wär",
        "wünsche wünsch fühle esse ess schlafe schlaf warte wart vermute fürchte wette sag sage lache lach",
        "dachte kann",
        "nehme nehm muss werde darf soll und oder das es nicht auch schon ja nur bekomme bekomm kriege krieg",
        "heiße sterbe wohne mich"
    )

    /// Words of a condition. The sentence is no action.
    static let conditions = Phrases(
        "if unless falls wenn sofern angenommen suppose supposing vorausgesetzt",
        "in case,provided that,as long as,assuming,assuming that,im falle,gesetzt den fall,was wäre wenn,solange,"
    )

    /// Words in a condition that is only polite: "if you have time".
    static let politeConditions = Phrases(
        "possible möglich zeit",
        "you can,you could,you have time,you have a minute,you have a moment,you get a chance,you have a chance,",
        "you don't mind,",
        "du schon dabei bist,du dabei bist,you're at it,you are at it,you're there,you're free,you're around,",
        "du in der nähe bist,",
        "du morgen kommst,du da bist,du kommst,you get in,you're there,you are there,you get home,you're back,",
        "you're at,you pass,du vorbeikommst,",
        "du fertig bist,you're done,you finish,you get there,du heimkommst,du nach hause kommst,",
        "you get around to it,du kurz zeit hast,ihr da seid,",
        "du kannst,du zeit hast,es geht,du magst,ihr könnt,du dazu kommst,es dir passt,you find time,",
        "du eine minute hast,"
    )

    /// Verbs after which "if" means "whether".
    static let whetherVerbs = Phrases("check see ask know verify test confirm find out sure wonder asking")

    /// Words that mark what others said.
    static let reports = Phrases(
        "said says told asked meinte meinten sagte sagten sagt hieß angeblich apparently supposedly laut wrote",
        "schrieb fragte",
        "promised versprach gesagt gemeint behauptet geschrieben versprochen mentioned claimed announced",
        "erzählte reckons"
    )

    /// Words beside which a report is none: "as I said".
    static let reportExceptions = Phrases(
        "i promised,i've promised,i said i'd,ich habe versprochen,hab versprochen,",
        "as i said,as said,like i said,wie gesagt,as discussed,as agreed,wie besprochen,"
    )

    /// Words of what is not real.
    static let hypotheses = Phrases(
        "should've could've would've hätte hätten hättest hättet wäre wären theoretisch theoretically",
        "hypothetically imagine",
        "would have,could have,should have,should of,i wish,wish i,what if,was wenn,man könnte,könnte man,",
        "man müsste,",
        "müsste man,man sollte,sollte man,we would,i would,i'd,ich würde,würde ich,wir würden,würden wir,",
        "müssten wir,",
        "might have,ought to have,would need to,would have to,would be,if only,one could,one should,wir müssten,",
        "ich müsste,"
    )

    /// Words that weaken a promise or a duty so far that it is none.
    static let hedges = Phrases(
        "maybe perhaps vielleicht might eventuell evtl probably wahrscheinlich possibly womöglich wohl bestimmt",
        "angeblich"
    )

    /// Words before an opener in the same clause that turn it into something else.
    static let preceding = Phrases(
        "why how what when where who which that whether ob dass warum wieso weshalb was wie wann wo wer not",
        "don't do does did",
        "doesn't didn't dont never nicht kein nie than als used because weil whatever whenever until since he",
        "she they",
        "er welche welcher den den"
    )

    /// Negations. A promise or a duty beside them is none.
    static let negations = Phrases(
        "not never nicht nie nichts niemals keinesfalls kein keine keinen keiner nothing nobody don't dont won't",
        "no need,"
    )

    /// Requests to do nothing, at either end of a request.
    static let idleRequests = Phrases("ignore disregard ignorieren ignoriere ignorier ignoriert")

    /// What people ask others to have, which is no task: "ich bitte um Geduld".
    static let indulgences = Phrases("geduld verständnis nachsicht entschuldigung verzeihung patience understanding")

    /// Question words. A clause that starts with them asks and orders nothing.
    static let questionWords = Phrases(
        "who what why how when where which whose wer was wie warum wieso weshalb wann wo welche welcher welches",
        "wen wem woher"
    )

    /// Words that start a clause which says no more of the task before it.
    static let statementStarts = Phrases(
        "i i'm i've i'd we you he she it it's its they that that's this there there's ich wir du er es sie ihr man",
        "because weil denn since damit so otherwise sonst thanks thank thx danke cheers dann then when wenn if",
        "falls which",
        "who wer was what ok okay yes no ja nein but aber sorry love lg gruß vg sondern while während obwohl",
        "although just",
        "only nur bin ist sind war hat habe haben my mein meine needs sollte should can could kann do did does",
        "is are"
    )

    /// Words that start a noun phrase or a remark rather than an order.
    static let noOrderStarts = Phrases(
        "the a an more another some any one no yes my your our his her their this that these those it i we you",
        "he she they",
        "der die das ein eine einen kein keine mein meine dein deine noch mehr and und ja nein all alle there",
        "here what who",
        "how why when where which welcome very too not never always thanks thank danke great good nice well is",
        "are was were"
    )

    /// Separable parts of German verbs.
    static let particles = Phrases(
        "nach an ab auf aus ein mit vor zu zurück um los weg weiter fertig raus rein runter hoch durch her hin",
        "bei rüber",
        "vorbei zusammen fest frei bereit neu"
    )

    /// German verb forms for "du" that ask for no task.
    static let statesOfReader = Phrases(
        "bist hast kannst willst weißt kennst glaubst denkst meinst kommst gehst findest magst siehst hörst",
        "möchtest wirst",
        "warst solltest musst darfst brauchst fährst wohnst schläfst hattest wolltest wusstest fast erst selbst",
        "sonst meist"
    )

    /// German verb forms for "du" whose infinitive has another vowel.
    static let irregularInfinitives = [
        "waeschst": "waschen", "liest": "lesen", "gibst": "geben", "nimmst": "nehmen", "hilfst": "helfen",
        "traegst": "tragen", "laedst": "laden", "haeltst": "halten", "sprichst": "sprechen", "wirfst": "werfen",
        "uebernimmst": "übernehmen", "uebernimmt": "übernehmen", "haelt": "halten", "faehrst": "fahren",
        "triffst": "treffen", "siehst": "sehen", "laesst": "lassen",
    ]
}
