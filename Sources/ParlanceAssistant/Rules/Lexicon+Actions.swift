/// Words that open an action.
extension Lexicon {
    /// Words before which a full stop ends no sentence.
    static let abbreviations = Phrases("z b dr mr mrs ms prof nr no ca bzw st str evtl ggf inkl vgl approx vs e g i")

    /// Titles, which are no names by themselves.
    static let titles = Phrases(
        "dr mr mrs ms prof frau herr coach trainer trainerin kapitän captain chef the von van de"
    )

    /// Names that are common words as well: they count with a capital only.
    static let ambiguousNames = Phrases("will mark may max rose bill pat sue grace hope art june april ray rich")

    /// Words that can open a clause and say nothing.
    static let fillers = Phrases(
        "ok okay oki k so also dann then well gut alright and und yes yep yeah ja jo jap sure klar hi hey hello hallo moin",
        "great cool super perfect oh no nein nope btw fyi right fine good morning now nun jetzt hm hmm na ach ah",
        "but aber oder or einfach just actually übrigens anyway lol haha sorry all everyone everybody folks guys team leute",
        "lieben alle zusammen beide gerne gern also too still noch mal quickly kurz reminder erinnerung first zuerst",
        "urgent dringend wichtig important asap achtung und sonst otherwise except außerdem next nächstens servus tag"
    )

    /// Requests to the reader that are followed by what to do.
    static let requestOpeners = Phrases(
        "can you,could you,would you,will you,can u,could u,would u,can you all,would you mind,do you mind,",
        "could you please,can you please,would you please,are you able to,would you be able to,",
        "could you possibly,can y'all,can you guys,could you guys,can both of you,could one of you,can one of you,",
        "kannst du,könntest du,würdest du,magst du,kannste,könnteste,könnt ihr,könntet ihr,würdet ihr,",
        "können sie,könnten sie,würden sie,wärst du so lieb,wärst du so nett,wären sie so nett,",
        "would it be possible for you to,any chance you can,any chance you could,"
    )

    /// Requests to nobody in particular.
    static let openRequests = Phrases(
        "can somebody,can someone,can anyone,can anybody,could somebody,could someone,could anyone,could anybody,",
        "would someone,would somebody,would anyone,will someone,somebody please,someone please,",
        "somebody has to,someone has to,somebody needs to,someone needs to,somebody must,someone must,",
        "somebody should,someone should,one of us has to,one of us needs to,one of you has to,one of us should,",
        "kann jemand,könnte jemand,kann mal jemand,kann bitte jemand,könnte bitte jemand,kann einer,kann wer,",
        "mag jemand,jemand muss,jemand müsste,jemand sollte,einer muss,einer von uns muss,wer kann,wer könnte,",
        "muss jemand,muss einer,muss einer von uns,muss einer von euch,müsste jemand,sollte jemand,jemand soll,"
    )

    /// Orders and reminders to the reader.
    static let orderOpeners = Phrases(
        "don't forget to,dont forget to,do not forget to,don't forget,dont forget,do not forget,remember to,make sure to,",
        "make sure,be sure to,please remember to,i need you to,i want you to,i'd like you to,i would like you to,",
        "you need to,you have to,you must,you gotta,you'll need to,you will need to,you'll have to,you still need to,",
        "you still have to,your job is to,your task is to,",
        "vergiss nicht,vergesst nicht,vergessen sie nicht,nicht vergessen,denk dran,denk daran,denkt dran,denkt daran,",
        "denk an,denkt an,denk bitte an,denkt bitte an,denk bitte daran,denken sie daran,denken sie bitte an,",
        "du musst,du sollst,ihr müsst,ihr sollt,sie müssen bitte,achte darauf,sieh zu,seht zu,"
    )

    /// Promises of the sender.
    static let promiseOpeners = Phrases(
        "i'll i'ma ill",
        "i will,i'm going to,i am going to,im going to,i'm gonna,im gonna,i am gonna,i shall,i can,",
        "i have to,i need to,i must,i gotta,i've got to,i still need to,i still have to,let me,i promise to,",
        "i'm about to,i plan to,remind me to,ich werde,ich muss,muss ich,werde ich,ich kann,kann ich,ich darf,",
        "note to self,reminder to self,notiz an mich,"
    )

    /// Duties that the conversation shares.
    static let dutyOpeners = Phrases(
        "we need to,we have to,we must,we've got to,we still need to,we still have to,we gotta,we'll need to,we'll have to,",
        "we will have to,we will need to,we also need to,we also have to,we really need to,we really have to,",
        "need to,needs to,have to,gotta,wir müssen,müssen wir,wir müssten noch,wir müssen noch,muss noch,"
    )

    /// Duties that are opinions as well. They need a deadline.
    static let weakDutyOpeners = Phrases(
        "we should,we ought to,wir sollten,sollten wir,wir sollen,we'll,we will,wir werden,let's,lets,lass uns,lasst uns,"
    )

    /// Words that make a request of an order.
    static let please = Phrases("please pls plz plse kindly bitte")

    /// What a named member is to do: the words after the name.
    static let assignmentOpeners = Phrases(
        "will must should shall to takes handles does übernimmt soll muss wird sollte macht",
        "has to,needs to,is going to,is to,will take care of,takes care of,takes over,is responsible for,can you,",
        "kümmert sich um,kümmert sich,",
        "schickt bringt bestellt bucht schreibt organisiert besorgt prüft erstellt kauft holt plant liefert kontaktiert"
    )

    /// Words that name a task at the start of a line.
    static let taskLabels = Phrases(
        "todo todos aufgabe aufgaben task tasks merker",
        "to do,to dos,to - do,to - dos,action item,action items,action,next step,next steps,action point,action points,",
        "nächste schritte,nächster schritt,zu tun,zu erledigen,offene punkte,noch offen,offen,open items,still open,"
    )

    /// Words that name a task as done at the start of a line.
    static let doneLabels = Phrases("done erledigt fertig finished completed abgehakt abgeschlossen")

    /// Labels of a task for the sender.
    static let selfLabels = Phrases(
        "note to self,reminder to self,notiz an mich,merkzettel,memo an mich,self reminder,"
    )

    /// English verbs that give an order by themselves at the start of a clause.
    static let imperatives = Phrases(
        "send check call book order update review fix upload print prepare submit write text email mail buy pay bring renew",
        "confirm schedule arrange cancel contact deploy test verify share forward copy install finish clean inspect refill",
        "charge replace drain register sign fill ask invite collect return report log document restart reboot draft edit",
        "proofread translate reply respond complete add remove delete archive backup merge rebase publish post file order",
        "organise organize reserve measure repair ping notify inform remind approve create drop deliver save rename migrate",
        "pick back hand empty lock unlock water feed wash hang label ship pack download fetch reset investigate",
        "follow up,"
    )

    /// Verbs that give an order only beside a name or "please".
    static let weakImperatives = Phrases(
        "take get make put give keep have go come look set do bring turn move run tell show let use read try talk join help",
        "open close start stop switch cover handle find work meet speak plan hold leave stay wait watch"
    )

    /// German orders.
    static let germanImperatives = Phrases(
        "schick schicke schickt schau schaut prüf prüfe prüft ruf ruft mach macht nimm nehmt gib gebt stell stelle stellt",
        "lad lade ladet bring bringt buch buche bucht bestell bestelle bestellt kauf kaufe kauft sag sagt frag frage fragt",
        "meld melde meldet trag trage tragt leg lege legt lies lest schreib schreibe schreibt setz setze setzt sorg sorge",
        "kümmer kümmere kümmert räum räume räumt hol hole holt teste testet check checke checkt aktualisier aktualisiere",
        "füll fülle füllt unterschreib unterschreibe klär kläre klärt erinner erinnere druck drucke druckt organisier",
        "organisiere bereite leite sende sendet reich reiche reicht besorg besorge besorgt erledige repariere reparier"
    )

    /// Stems of German verbs that promise a task after "ich" without a day beside them.
    static let promiseStems = Phrases(
        "kümmer schick bring übernehm erledig besorg bestell buch organisier schreib prüf ruf druck lad send klär frag hol",
        "kauf stell reich trag bereit leit meld tausch reparier aktualisier erstell check teste leg setz pack back koch"
    )

    /// Words that show that a German present tense speaks of the future.
    static let futureWords = Phrases("gleich später dann noch bis morgen nachher demnächst heute sofort schnell mal")

    /// Words between an opener and its verb.
    static let adverbs = Phrases(
        "also just then quickly definitely please pls kindly maybe perhaps all both still really bitte mal noch auch kurz",
        "vielleicht eventuell possibly now actually already finally quick gleich probably certainly gladly happily to"
    )

    /// Words of a sentence that gives the task before it a day.
    static let dueWords = Phrases(
        "due deadline needs frist fällig abgabe spätestens latest muss abgabetermin",
        "bis,by,"
    )

    /// Words after "please" that make it no request.
    static let noRequests = Phrases("find be wait note schön sehr gern gerne beachten don't dont nicht")

    /// Words after a first word that is no order then: "check was fine".
    static let finiteVerbs = Phrases(
        "from of results - is are was were has had have will would can could failed fails works worked says said looks went got ist war sind"
    )

    /// Subjects after a German verb that is no order then: "macht ihr".
    static let subjects = Phrases("ich du er sie es wir ihr man ihn")

    /// Words of a need of the sender.
    static let needs = Phrases(
        "i need,brauche ich,ich brauche,i'll need,bräuchte ich,ich bräuchte,we need,wir brauchen,brauchen wir,"
    )

    /// Words that name the sender as the receiver.
    static let receivers = Phrases("an mich,zu mir,to me,zurück an mich,")

    /// Subjects of which a duty is no task.
    static let pronouns = Phrases("it that this there he she they you i es das dies er sie ich du man")

    /// Duties of a thing.
    static let passiveDuties = Phrases(
        "needs to be,need to be,must be,has to be,have to be,needs doing,needs fixing,needs updating,needs checking,"
    )

    /// German verbs of duty.
    static let germanDuties = Phrases("muss müssen soll sollen")

    /// The last word of a German duty of a thing: "muss geprüft werden".
    static let passiveEnds = Phrases("werden sein")

    /// Words that do not say what is to be done.
    static let emptyObjects = Phrases(
        "das ich noch dann mich es gleich mal auch heute morgen später sofort du bitte ja ok dir euch gern gerne mir schon"
    )

    /// Words that leave the task when its verb becomes an infinitive.
    static let subjectsOfVerbs = Phrases("ich du mich dich sich bitte mal noch also dann gleich und")

    /// Words that end no task.
    static let taskEnds = Phrases(
        "and und or oder by before bis until but aber then dann thanks danke too also please bitte ok btw noch heute",
        "asap at on to um am"
    )

    /// Words that start no task.
    static let taskStarts = Phrases("and und also to just then dann bitte please mal noch auch kurz so that")

    /// Orders that are nouns as often. Without a name beside them they need an object such as "the".
    static let nounImperatives = Phrases(
        "mail email text water report file test document post hand label log measure feed ship reset call update review",
        "charge order book check backup merge draft fix print share copy edit"
    )

    /// Words that start the object of an order.
    static let objectStarts = Phrases(
        "me us the a an my your our his her their this that these those it them all everyone back up out in off @ both each"
    )

    /// Verbs with a word beside them that name a task although the verb alone names none.
    static let taskPhrases = Phrases(
        "have a look,have another look,have a word,look into,look at,look after,look up,look over,look for,see to,see if,",
        "go through,go over,come up with,come by,stay on top,see whether,have it,have them,say something,go and,come and,"
    )

    /// Words in the line above a list of tasks.
    static let listWords = Phrases(
        "list liste checklist checkliste todoliste aufgabenliste einkaufsliste packliste todo"
    )

    /// Signs that mark a task as done at the end of its line.
    static let doneSigns = Phrases("\u{2705} \u{2714} \u{2713} \u{2611}")

    /// Words after which a comma does not end the clause.
    static let openEnds = Phrases("nicht dran daran darauf vergessen")

    /// Words that there is nothing to do.
    static let noNeeds = Phrases(
        "no need,can i,could i,may i,kann ich bitte,darf ich,not necessary,nicht nötig,nicht notwendig,brauchst nicht,musst nicht,"
    )

    /// Verbs before a name that ask or assign: "kann Tom", "das übernimmt Tom".
    static let verbsBeforeNames = Phrases(
        "can could will kann könnte würde übernimmt macht schickt bringt bestellt bucht schreibt organisiert besorgt prüft",
        "holt erstellt kauft plant erledigt liefert kontaktiert kümmert"
    )

    /// Those of them that another verb follows.
    static let auxiliaries = Phrases("can could will kann könnte würde")

    /// Words that make a list the sender's own.
    static let possessives = Phrases("my meine mein")

    /// Orders that only point at something.
    static let noOrders = Phrases(
        "check this,check it out,check out,schau mal hier,schaut mal hier,schau mal her,look at this,"
    )

    /// First words of openers that are German.
    static let germanOpeners = Phrases("ich muss werde kann wir müssen")

    /// German infinitives that name no task after "ich muss" and the like.
    static let germanStates = Phrases(
        "gehen reden sagen warten bleiben sein werden verstehen los schlafen leben lachen"
    )
}
