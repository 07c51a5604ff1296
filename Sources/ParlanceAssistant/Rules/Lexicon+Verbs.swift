/// Verbs of work. All forms that the rules look for are made from these lists.
extension Lexicon {
    /// English verbs that are hardly ever nouns.
    static let englishVerbs = Phrases(
        "accept add adjust align announce apply approve archive arrange ask assemble assign attach authorise",
        "authorize",
        "bake bring broadcast build buy calculate calibrate cancel carry centralise check choose chase circulate",
        "clarify clean clear collect combine compare compile complete compose configure confirm connect",
        "consolidate",
        "construct contact convert cook coordinate correct create cut deactivate debug decorate defrost delegate",
        "delete",
        "deliver deploy describe destroy determine develop disable discard disconnect discuss dispatch disinfect",
        "dispose",
        "distribute divide download draft drain draw drop edit eliminate email empty enable encrypt enter",
        "enquire ensure",
        "erase escalate establish evaluate examine exclude expand explain export extend extract fetch fill",
        "finalise",
        "finalize find finish fix fold follow forward freeze gather generate get give grab grease grind hang",
        "hide hire hand",
        "identify implement import include increase inflate inform initiate insert inspect install insulate",
        "integrate",
        "introduce investigate invite invoice iron issue keep label leave lend let list load lock look lower",
        "lubricate mail",
        "maintain make measure merge message migrate modify mount move mow notify nudge obtain offer open order",
        "organise",
        "organize pack paint patch pay phone photocopy photograph pick ping place plug polish post postpone pour",
        "practise",
        "practice prepare print prioritise prioritize proofread propose prove provide publish pull purchase push",
        "put quote",
        "raise read rearrange rebase rebook reboot rebuild recalculate recharge recheck reconnect record recruit",
        "recycle redo reduce refactor refill refresh refund refuel register reinstall reject relabel release",
        "relocate",
        "remind remove rename renew rent reorder reopen repaint repair repeat replace reply report reprint",
        "request resend",
        "reschedule reserve reset resize resolve respond restart restock restore resubmit retest retrieve return",
        "reverse",
        "review revise revoke rewire rewrite ring rinse roll rotate run sand save scan schedule scrub seal",
        "secure sell send",
        "separate set settle sew sharpen share shift ship shorten shovel show shred shut sign simplify sketch",
        "sort specify",
        "split spray stack staple start sterilise store strip submit subscribe supply suspend swap sweep switch",
        "sync tag",
        "take tell test throw tidy tie tighten top track train transcribe transfer translate transport trim turn",
        "type",
        "unblock undo unload unlock unpack unplug unsubscribe update upgrade upload vacuum validate ventilate",
        "verify view",
        "visit walk warn wash watch water weigh weed wipe wire withdraw wrap write call bring book rota redeem",
        "log cc fax",
        "pop chuck nip nudge whip stick bung swap reassure retrain mend scan restring reseal",
        "oil hoover dust mop feed brief arrange sort deice descale rehearse rotate prune plant dig fit hem knit",
        "tape glue",
        "calibrate back bump revert tweak ditch scrap fire hook flag nail confirm collate catalogue catalog",
        "reimburse",
        "reassign escalate sanitise sanitize winterise refrigerate steam boil chop peel marinate thaw preheat",
        "top photoshop",
        "doublecheck handle cover bleed flush rinse cap mark count charge lay contact text swing",
        "talk to,speak to,speak with,reach out to,get in touch with,look into,look after,look at,have a look,",
        "take a look,keep an eye on,",
        "find raus,finde raus,find heraus,finde heraus,try to,see that,see to,",
        "go through,go over,go ahead and,set up,put together,line up,pop chuck,add to,make a note,have a word,",
        "come and,go and,stick to,",
        "hand over,drop off,write up,clear out,top up,sort out,lock up,warm up,tell the,",
        "follow up,double check,double - check,re - send,re - run,copy in,loop in,note down,jot down,come up with,"
    )

    /// German verbs of work, as infinitives without their separable part. Folding makes "ä" and "ae" the same.
    static let germanVerbs = [
        "abonnieren", "adressieren", "aktivieren", "aktualisieren", "analysieren", "antworten", "archivieren", "backen",
        "basteln", "bauen", "beantragen", "beantworten", "bearbeiten", "beauftragen", "befestigen", "befüllen",
        "begleiten", "begrüßen", "behalten", "beheben", "beladen", "belegen", "benachrichtigen", "beräumen",
        "berechnen",
        "bereiten", "beschaffen", "beschriften", "beseitigen", "besorgen", "besprechen", "bestätigen", "bestellen",
        "besuchen", "betreuen", "bewässern", "bezahlen", "binden", "blockieren", "bohren", "brauen", "brennen",
        "bringen", "buchen", "bügeln", "checken", "dämmen", "decken", "dekorieren", "dokumentieren", "drehen",
        "drucken",
        "düngen", "durchsehen", "einkaufen", "einladen", "entfernen", "entkalken", "entlüften", "entsorgen",
        "entwerfen",
        "erfassen", "erfragen", "ergänzen", "erinnern", "erklären", "erledigen", "erneuern", "ersetzen", "erstellen",
        "exportieren", "fahren", "fangen", "fegen", "fetten", "fixen", "flicken", "formatieren", "fragen",
        "füllen", "füttern", "geben", "gießen", "graben", "grillen", "hacken", "halten", "hängen", "heben", "heften",
        "heizen", "helfen", "holen", "impfen", "importieren", "informieren", "installieren", "justieren", "kalibrieren",
        "kalkulieren", "kaufen", "kehren", "klären", "kleben", "klingeln", "kochen", "kontaktieren", "kontrollieren",
        "konvertieren", "koordinieren", "kopieren", "korrigieren", "kümmern", "kündigen", "kürzen", "laden", "leeren",
        "legen", "leihen", "leiten", "lesen", "liefern", "löschen", "lösen", "lüften", "machen", "mähen", "mahlen",
        "mailen", "malen", "markieren", "melden", "mieten", "migrieren", "mischen", "montieren", "nähen", "nehmen",
        "notieren", "öffnen", "ölen", "ordnen", "organisieren", "packen", "pflanzen", "pflegen", "planen", "posten",
        "präparieren", "präsentieren", "programmieren", "protokollieren", "prüfen", "pumpen", "putzen", "räumen",
        "rechnen", "recherchieren", "regeln", "registrieren", "reichen", "reinigen", "reparieren", "reservieren",
        "richten", "rufen", "sägen", "sammeln", "saugen", "schalten", "schauen", "schaufeln", "scannen", "schicken",
        "schieben", "schleifen", "schleppen", "schließen", "schmieren", "schneiden", "schrauben", "schreiben",
        "schrubben", "senden", "setzen", "sichern", "simsen", "sorgen", "sortieren", "speichern", "sperren", "spülen",
        "sprechen", "lassen", "zusammenfassen", "fassen", "kleiden", "stützen", "stutzen", "bauen", "kippen",
        "stapeln", "starten", "stecken", "stellen", "stempeln", "stopfen", "stoppen", "stornieren",
        "streichen", "streuen", "suchen", "synchronisieren", "tanken", "tauschen", "teilen", "telefonieren",
        "terminieren",
        "testen", "texten", "tippen", "tragen", "transportieren", "trennen", "trocknen", "überarbeiten", "übergeben",
        "überlegen", "übermitteln", "übernehmen", "überprüfen", "übersetzen", "übertragen", "überweisen", "umräumen",
        "unterrichten", "unterschreiben", "unterstützen", "untersuchen", "verabreden", "veranlassen", "verbinden",
        "verbuchen", "vereinbaren", "verfassen", "vergleichen", "verkaufen", "verkabeln", "verlängern", "verlegen",
        "verleihen", "vermessen", "veröffentlichen", "verpacken", "verräumen", "verschicken", "verschieben",
        "versenden",
        "versorgen", "verständigen", "verteilen", "verwahren", "vorbereiten", "wägen", "warnen", "waschen",
        "wechseln", "wegräumen", "weisen", "werfen", "wickeln", "wiederholen", "wiegen", "wischen", "zahlen", "zählen",
        "zeichnen", "zeigen", "ziehen", "zusagen", "informieren", "betanken", "bedienen", "nummerieren", "laminieren",
        "ausfüllen", "abholen", "anrufen", "entscheiden", "klemmen", "löten", "schweißen", "pinnen", "hinterlegen",
        "formulieren", "skizzieren", "illustrieren", "genehmigen", "freigeben", "abschicken", "unterzeichnen",
        "moderieren", "leimen", "spachteln", "verputzen", "tapezieren", "entladen", "beliefern", "abdecken", "sagen",
        "gucken", "kippen", "parken", "wecken", "absagen", "einstellen", "verstauen", "versichern", "dichten",
        "abdichten", "bewerten", "benennen", "umbenennen", "bepflanzen", "kompostieren", "jäten", "ernten", "striegeln",
        "melken", "misten", "satteln", "auftauen", "schälen", "rühren", "würzen", "spendieren", "schmücken",
    ]

    /// German forms whose vowel is another one than that of the infinitive, for "du" (order) and "er".
    static let irregularForms = [
        "gib": "geben", "gibt": "geben", "nimm": "nehmen", "nimmt": "nehmen", "lies": "lesen", "liest": "lesen",
        "hilf": "helfen", "hilft": "helfen", "wirf": "werfen", "wirft": "werfen", "uebernimm": "übernehmen",
        "uebernimmt": "übernehmen", "haelt": "halten", "laedt": "laden", "traegt": "tragen", "faehrt": "fahren",
        "waescht": "waschen", "besprich": "besprechen", "bespricht": "besprechen", "wiegt": "wiegen",
        "entwirf": "entwerfen", "behaelt": "behalten", "faengt": "fangen", "graebt": "graben",
        "uebertraegt": "übertragen",
        "uebergibt": "übergeben", "uebergib": "übergeben", "sprich": "sprechen", "spricht": "sprechen",
        "schliess": "schließen", "lass": "lassen", "tu": "tun", "tut": "tun", "miss": "messen", "vermiss": "vermessen",
    ]

    /// The infinitives in folded form.
    static let germanInfinitives = Set(germanVerbs.map(Tokenizer.folded)).union(["tun", "messen"])

    /// The stems of the German verbs: "bestell", "klaer". "sammeln" gives "sammel" and "samml".
    static let germanStems: Set<String> = {
        var stems: Set<String> = []
        for infinitive in germanInfinitives where infinitive.hasSuffix("n") {
            if infinitive.hasSuffix("en") {
                stems.insert(String(infinitive.dropLast(2)))
            } else {
                let stem = String(infinitive.dropLast())
                stems.insert(stem)
                if stem.hasSuffix("el") { stems.insert(String(stem.dropLast(2)) + "l") }
            }
        }
        return stems
    }()

    /// Whether the form can be an order to one reader or to several: "schick", "schicke", "schickt".
    static func isGermanOrder(_ folded: String) -> Bool {
        if irregularForms[folded] != nil { return !folded.hasSuffix("t") || folded == "tut" }
        return germanStems.contains(folded) || isGermanForm(folded, endings: ["e", "t", "et"])
    }

    /// Whether the form can tell what one person does: "schickt".
    static func isGermanThirdPerson(_ folded: String) -> Bool {
        if irregularForms[folded] != nil { return folded.hasSuffix("t") }
        return isGermanForm(folded, endings: ["t", "et"])
    }

    /// Whether the form can follow "ich": "schicke", "schick".
    static func isGermanFirstPerson(_ folded: String) -> Bool {
        germanStems.contains(folded) || isGermanForm(folded, endings: ["e"])
    }

    private static func isGermanForm(_ folded: String, endings: [String]) -> Bool {
        endings.contains { folded.hasSuffix($0) && germanStems.contains(String(folded.dropLast($0.utf8.count))) }
    }
}

extension Lexicon {
    /// The "-ing" forms of the English verbs: "fixing", "moving", "swapping".
    static let gerunds: Set<String> = {
        var forms: Set<String> = []
        for verb in englishVerbs.firstWords + weakImperatives.firstWords where verb.utf8.count > 1 {
            forms.insert(verb + "ing")
            if verb.hasSuffix("e") { forms.insert(String(verb.dropLast()) + "ing") }
            if verb.hasSuffix("ie") { forms.insert(String(verb.dropLast(2)) + "ying") }
            if let last = verb.last, verb.utf8.count > 2 { forms.insert(verb + String(last) + "ing") }
        }
        return forms
    }()

    /// The forms for "he" and "she": "brings", "fixes".
    static let englishThirdPersons: Set<String> = {
        var forms: Set<String> = []
        for verb in englishVerbs.firstWords + weakImperatives.firstWords {
            forms.insert(verb + "s")
            forms.insert(verb + "es")
            if verb.hasSuffix("y") { forms.insert(String(verb.dropLast()) + "ies") }
        }
        return forms
    }()
}
