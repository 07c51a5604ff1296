/// Words that open an action.
extension Lexicon {
    /// Words before which a full stop ends no sentence.
    static let abbreviations = Phrases("z b dr mr mrs ms prof nr no ca bzw st str evtl ggf inkl vgl approx vs e g i")

    /// Words that can open a clause and say nothing.
    static let fillers = Phrases(
        "ok okay oki k so also dann then well gut alright and und yes yep yeah ja jo jap sure klar hi hey hello",
        "hallo moin",
        "great cool super perfect oh no nein nope btw fyi right fine good morning now nun jetzt hm hmm na ach ah",
        "but aber oder or einfach just actually übrigens anyway lol haha sorry all everyone everybody folks guys",
        "team leute",
        "lieben alle zusammen beide gerne gern also too still noch mal quickly kurz reminder erinnerung first",
        "zuerst",
        "urgent dringend wichtig important asap achtung und sonst otherwise except außerdem next nächstens",
        "servus tag"
    )

    /// Requests to the reader that are followed by what to do.
    static let requestOpeners = Phrases(
        "any chance of you,be a dear and,do me a favour and,do me a favor and,",
        "i'm counting on you to,counting on you to,relying on you to,i trust you'll,i trust you to,",
        "could i ask you to,may i ask you to,",
        "can i ask you to,darf ich dich bitten,dürfte ich dich bitten,kann ich dich bitten,",
        "ich verlass mich drauf dass du,",
        "do you think you could,do you think you can,would you be up for,would you be willing to,are you up for,",
        "are you free to,",
        "do you have time to,do you have a minute to,do you have a moment to,have you got time to,",
        "have you got a minute to,got a minute to,",
        "got time to,got a sec to,got a second to,got a moment to,do you fancy,hast du zeit,hast du lust,",
        "hättest du zeit,",
        "hättest du lust,hättet ihr zeit,habt ihr zeit,habt ihr lust,schaffst du es,schafft ihr es,",
        "magst du bitte,willst du bitte,",
        "can you,could you,would you,will you,can u,could u,would u,can you all,would you mind,do you mind,",
        "could you please,can you please,would you please,are you able to,would you be able to,",
        "could you possibly,can y'all,can you guys,could you guys,can both of you,could one of you,can one of you,",
        "kannst du,könntest du,würdest du,magst du,kannste,könnteste,könnt ihr,könntet ihr,würdet ihr,",
        "können sie,könnten sie,würden sie,wärst du so lieb,wärst du so nett,wären sie so nett,",
        "would it be possible for you to,any chance you can,any chance you could,"
    )

    /// Requests to nobody in particular.
    static let openRequests = Phrases(
        "can we make sure,could we make sure,can we please,could we please,could i ask someone to,",
        "may i ask someone to,",
        "anyone able to,anyone free to,anybody able to,anybody free to,any volunteers to,any volunteer to,",
        "volunteers to,volunteers for,",
        "any volunteers for,we need someone to,we need somebody to,i need someone to,i need somebody to,",
        "who's able to,someone grab,",
        "we need a volunteer to,need a volunteer to,who is able to,who's free to,who can,who could,who wants to,",
        "who'd like to,",
        "who would like to,who's up for,who fancies,is anyone free to,is anybody free to,is anyone able to,",
        "does anyone have time to,",
        "could do with a hand,could do with some help,could use a hand,could use some help,need a hand,",
        "need some help,",
        "looking for someone to,looking for somebody to,wer macht,wer übernimmt,wer bringt,wer kümmert sich um,",
        "wer holt,",
        "wer besorgt,wer mag,wer möchte,wer hat lust,wer hat zeit,wer hätte zeit,wer hätte lust,wer will,",
        "wer schreibt,wer bucht,wer bestellt,",
        "freiwillige für,brauche hilfe bei,bräuchte hilfe bei,ich brauche jemanden,suche jemanden,",
        "wir brauchen jemanden,jemand der,",
        "anyone has to,everyone has to,everybody has to,everyone needs to,everybody needs to,everyone must,",
        "everybody must,",
        "alle müssen,jeder muss,jeder soll,alle sollen,einer sollte,einer müsste,einer soll,kann irgendjemand,",
        "kann irgendwer,",
        "würde jemand,würde einer,könnte einer,würde bitte jemand,mag einer,magst einer,",
        "can somebody,can someone,can anyone,can anybody,could somebody,could someone,could anyone,could anybody,",
        "would someone,would somebody,would anyone,will someone,somebody please,someone please,",
        "somebody has to,someone has to,somebody needs to,someone needs to,somebody must,someone must,",
        "somebody should,someone should,one of us has to,one of us needs to,one of you has to,one of us should,",
        "kann jemand,könnte jemand,kann mal jemand,kann bitte jemand,könnte bitte jemand,kann einer,kann wer,",
        "mag jemand,jemand muss,jemand müsste,jemand sollte,einer muss,einer von uns muss,wer kann,wer könnte,",
        "muss noch jemand,muss noch einer,müsste noch jemand,sollte noch jemand,muss jemand,muss einer,",
        "muss einer von uns,muss einer von euch,müsste jemand,sollte jemand,jemand soll,"
    )

    /// Orders and reminders to the reader.
    static let orderOpeners = Phrases(
        "don't forget to,dont forget to,do not forget to,don't forget,dont forget,do not forget,remember to,",
        "make sure to,",
        "make sure,be sure to,please remember to,i need you to,i want you to,i'd like you to,i would like you to,",
        "u need to,u have to,u gotta,you better,you'd better,you should,you might want to,you ought to,",
        "your job to,your turn to,",
        "don't you forget to,never forget to,be so kind and,be so kind to,feel free to,please see to it that,",
        "see to it that,see that,",
        "ensure,ensure that,try to,be sure you,i want you to,you're welcome to,du solltest,ihr solltet,",
        "denkt bitte dran,denk bitte dran,",
        "denk mal dran,achtet darauf,pass auf dass,vergiss bitte nicht,vergesst bitte nicht,vergiss mir nicht,",
        "sei so gut und,",
        "sei so lieb und,seid so lieb und,sei so nett und,seid so nett und,schau dass,schaut dass,sieh zu dass,",
        "seht zu dass,",
        "you'll want to,you will want to,you may want to,don't let me forget,dont let me forget,",
        "don't let us forget,remind us to,",
        "remind us about,remind me about,remind us of,erinnert mich an,erinner mich an,erinnere mich an,",
        "erinnert uns an,ihr zwei müsst,",
        "ihr beide müsst,ihr beiden müsst,you two need to,you two have to,you both need to,you both have to,",
        "you need to,you have to,you must,you gotta,you'll need to,you will need to,you'll have to,",
        "you still need to,",
        "you still have to,your job is to,your task is to,",
        "denkst du an,denkst du bitte an,denkst du dran,sorgst du dafür,sorgst du bitte dafür,",
        "denkst du bitte dran,vergiss nicht,vergesst nicht,vergessen sie nicht,nicht vergessen,denk dran,",
        "denk daran,denkt dran,denkt daran,",
        "denk an,denkt an,denk bitte an,denkt bitte an,denk bitte daran,denken sie daran,denken sie bitte an,",
        "du musst,du sollst,ihr müsst,ihr sollt,sie müssen bitte,achte darauf,sieh zu,seht zu,"
    )

    /// Promises of the sender.
    static let promiseOpeners = Phrases(
        "i'll i'ma ill",
        "i will,i'm going to,i am going to,im going to,i'm gonna,im gonna,i am gonna,i shall,i can,",
        "i have to,i need to,i must,i gotta,i've got to,i still need to,i still have to,let me,i promise to,",
        "i'm about to,i plan to,remind me to,ich werde,ich werd,werd ich,ich muss,muss ich,werde ich,ich kann,",
        "kann ich,ich darf,",
        "i'll be sure to,i'm meant to,i'm down to,i'm supposed to,i am supposed to,i'm due to,",
        "happy to,i'm happy to,i am happy to,i'd be happy to,i volunteer to,i volunteer for,put me down for,",
        "i'll take care of,i intend to,i want to,i wanna,i've to,i got to,",
        "i better,i'd better,it's on me to,my job to,my turn to,i promise i'll,ich hab vor,ich habe vor,ich will,",
        "ich soll,",
        "note to self,reminder to self,notiz an mich,"
    )

    /// Duties that the conversation shares.
    static let dutyOpeners = Phrases(
        "we need to,we have to,we must,we've got to,we still need to,we still have to,we gotta,we'll need to,",
        "we'll have to,",
        "we will have to,we will need to,we also need to,we also have to,we really need to,we really have to,",
        "we're supposed to,we are supposed to,we are to,we better,we'd better,it's time to,it is time to,time to,",
        "high time to,",
        "wir haben noch zu,es gilt,wir sollen noch,wir müssen auch,wir müssen unbedingt,",
        "we're to,we're meant to,we have got to,we've got until,we have until,wir haben bis,still needs to,",
        "need to,needs to,have to,gotta,wir müssen,müssen wir,wir müssten noch,wir müssen noch,muss noch,"
    )

    /// Promises that are wishes as well. They need a deadline.
    static let weakPromiseOpeners = Phrases(
        "i should,i ought to,i'd better,ich sollte,sollte ich,ich wollte,ich möchte,"
    )

    /// Duties that are opinions as well. They need a deadline.
    static let weakDutyOpeners = Phrases(
        "we should,we ought to,wir sollten,sollten wir,wir sollen,we'll,we will,wir werden,let's,lets,lass uns,",
        "lasst uns,"
    )

    /// Words that make a request of an order.
    static let please = Phrases("please pls plz plse kindly bitte")

    /// What a named member is to do: the words after the name.
    static let assignmentOpeners = Phrases(
        "will must should shall to takes handles does übernimmt soll muss wird sollte macht",
        "has to,needs to,is going to,is to,will take care of,takes care of,takes over,is responsible for,can you,",
        "kümmert sich um,kümmert sich,is bringing,is doing,is handling,has agreed to,agreed to,volunteered to,",
        "offered to,is supposed to,is due to,",
        "schickt bringt bestellt bucht schreibt organisiert besorgt prüft erstellt kauft holt plant liefert",
        "kontaktiert"
    )

    /// Words that name a task at the start of a line.
    static let taskLabels = Phrases(
        "todo todos aufgabe aufgaben task tasks merker",
        "noch zu tun,noch zu erledigen,still to do,left to do,yet to do,bleibt zu tun,aktion,to be done,",
        "to do,to dos,to - do,to - dos,action item,action items,action,next step,next steps,action point,",
        "action points,",
        "nächste schritte,nächster schritt,zu tun,zu erledigen,offene punkte,noch offen,offen,open items,",
        "still open,"
    )

    /// Words that name a task as done at the start of a line.
    static let doneLabels = Phrases("done erledigt fertig finished completed abgehakt abgeschlossen")

    /// Labels of a task for the sender.
    static let selfLabels = Phrases(
        "on my list,my list,my todo,my todos,my to do,my to - do,my tasks,auf meiner liste,meine aufgaben,",
        "meine todos,mein todo,on my plate,for me,bei mir,",
        "note to self,reminder to self,notiz an mich,merkzettel,memo an mich,self reminder,"
    )

    /// Verbs that give an order only beside a name or "please".
    static let weakImperatives = Phrases(
        "take get make put give keep have go come look set do bring turn move run tell show let use read try",
        "talk join help",
        "open close start stop switch cover handle find work meet speak plan hold leave stay wait watch"
    )

    /// Stems of German verbs that promise a task after "ich" without a day beside them.
    static let promiseStems = Phrases(
        "kümmer schick bring übernehm erledig besorg bestell buch organisier schreib prüf ruf druck lad send",
        "klär frag hol",
        "kauf sorg stell reich trag bereit leit meld tausch reparier aktualisier erstell check teste leg setz",
        "pack back koch"
    )

    /// Words that show that a German present tense speaks of the future.
    static let futureWords = Phrases(
        "gleich später dann noch bis morgen nachher demnächst heute sofort schnell mal bescheid"
    )

    /// Words between an opener and its verb.
    static let adverbs = Phrases(
        "also just then quickly definitely please pls kindly maybe perhaps all both still really bitte mal noch",
        "auch kurz",
        "vielleicht eventuell possibly now actually already finally quick gleich probably certainly gladly",
        "happily to"
    )

    /// Words of a sentence that gives the task before it a day.
    static let dueWords = Phrases(
        "due deadline needs frist fällig abgabe spätestens latest muss abgabetermin",
        "bis,by,"
    )

    /// Words after "please" that make it no request.
    static let noRequests = Phrases(
        "find be wait note bear excuse schön sehr gern gerne beachten don't dont nicht entschuldige entschuldigt",
        "entschuldigen verzeih verzeiht"
    )

    /// Words after a first word that is no order then: "check was fine".
    static let finiteVerbs = Phrases(
        "from of results - is are was were has had have will would can could failed fails works worked says said",
        "looks went got ist war sind"
    )

    /// Words after a thing with a number or a letter that tell of it: "tank 3 is full".
    static let labelVerbs = Phrases(
        "is are was were isn't aren't wasn't has had hasn't will won't would can can't cannot could failed fails works",
        "worked looks went got broke ist war sind waren hat hatte haben wird kann"
    )

    /// Words after a past form that say when it was.
    static let pastAdverbs = Phrases("yesterday again already today late early")

    /// Subjects after a German verb that is no order then: "macht ihr".
    static let subjects = Phrases("ich du er sie es wir ihr man ihn")

    /// Words of a need of the sender.
    static let needs = Phrases(
        "i want,i am missing,i'm missing,i'm waiting for,i am waiting for,waiting on,ich warte auf,mir fehlt,",
        "mir fehlen,fehlen mir,fehlt mir,ich brauch,brauch ich,i still need,",
        "i need,brauche ich,ich brauche,i'll need,bräuchte ich,ich bräuchte,we need,wir brauchen,brauchen wir,"
    )

    /// Words that name the sender as the receiver.
    static let receivers = Phrases("an mich,zu mir,to me,zurück an mich,")

    /// Subjects of which a duty is no task.
    static let pronouns = Phrases("it that this there he she they you i es das dies er sie ich du man")

    /// Duties of a thing.
    static let passiveDuties = Phrases(
        "could do with,can do with,must go,has to go,have to go,needs to go,need to go,has to get,must get,",
        "needs need wants want requires require",
        "needs to get,need to get,should be,ought to be,is to be,are to be,still has to be,needs to have,",
        "needs to be,need to be,must be,has to be,have to be,needs doing,needs fixing,needs updating,",
        "needs checking,"
    )

    /// German verbs of duty.
    static let germanDuties = Phrases("muss müssen soll sollen sollte sollten müsste müssten")

    /// The last word of a German duty of a thing: "muss geprüft werden".
    static let passiveEnds = Phrases("werden sein")

    /// Words that do not say what is to be done.
    static let emptyObjects = Phrases(
        "das ich noch dann mich es gleich mal auch heute morgen später sofort du bitte ja ok dir euch gern gerne",
        "mir schon witze sinn spaß"
    )

    /// Words that leave the task when its verb becomes an infinitive.
    static let subjectsOfVerbs = Phrases("ich du mich dich sich bitte mal noch also dann gleich und")

    /// Words that end no task.
    static let taskEnds = Phrases(
        "and und or oder by before bis until but aber then dann thanks danke too also please bitte ok btw noch",
        "heute",
        "asap at on to um am"
    )

    /// Words that start no task.
    static let taskStarts = Phrases("and und also to just then dann bitte please mal noch auch kurz so that")

    /// Orders that are nouns as often. Without a name beside them they need an object such as "the".
    static let nounImperatives = Phrases(
        "mail email text water report file test document post hand label log measure feed ship reset call update",
        "review",
        "charge order book check backup merge draft fix print share copy edit answer brief build change chase",
        "clean clear",
        "close cook count cover cut design dust drain drop empty enter fill film find fire fit fold force form",
        "forward freeze",
        "gather grab grease grind guide hide hire hook include increase iron issue key leave lend let lift limit",
        "line list load",
        "lock look lower mark match mop mount move mow nail name note notice offer open pack paint park patch",
        "pay phone",
        "photocopy photograph pick ping place plan plant plug polish practice pull pump purchase push put quote",
        "raise read rebuild",
        "record refill refund release rent repair repeat replay request reserve restart result return reverse",
        "review ring",
        "rinse roll rota rotate run sample sand save scan schedule scrap seal secure set shift shovel show shred",
        "shut sign",
        "sketch sort split spray stack staple start steam stop store supply support swap sweep swing switch sync",
        "tag tape",
        "target tell throw tidy tie top track train transfer transport trim turn tweak type upgrade upload",
        "vacuum view visit",
        "walk wash watch weed weigh welcome wipe wire work wrap write fax cap mark dim light glue knit plumb",
        "hoover",
        "bau druck start pack teil plan test rat tausch regel stapel puste packe mache schau lade frage packt",
        "macht passt back",
        "correct complete direct separate present secure double clean clear dry light top follow bleed boil chop",
        "peel split",
        "text texte mail brief liste markt halt hol sucht decke decken stimmt teste sage frag leite leihe halte",
        "ruhe suche saege",
        "nehme gebe finde schicke mache halt such lass"
    )

    /// Words that start the object of an order.
    static let objectStarts = Phrases(
        "den die das der dem mir uns mich ein eine einen bitte mal deine deinen dein eure euren ihm ihr ihnen",
        "meine meinen unsere im zum zur alle some any every two three new old more",
        "me us the a an my your our his her their this that these those it them all everyone back up out in off",
        "@ both each"
    )

    /// Verbs with a word beside them that name a task although the verb alone names none.
    static let taskPhrases = Phrases(
        "go get,go buy,go pick,go to the,go check,go fetch,go round,meet the,meet with,talk to,see the,see about,",
        "read the,read through,",
        "leave the,leave a,come over and,come in and,look it up,think of a,think about the,stay with,",
        "wait for the,take it to,take it back,",
        "have a look,have another look,have a word,look into,look at,look after,look up,look over,look for,",
        "see to,see if,",
        "go through,go over,come up with,come by,stay on top,see whether,have it,have them,say something,go and,",
        "come and,"
    )

    /// Words in the line above a list of tasks.
    static let listWords = Phrases(
        "list liste checklist checkliste todoliste aufgabenliste einkaufsliste packliste todo"
    )

    /// Signs that mark a task as done at the end of its line.
    static let doneSigns = Phrases("\u{2705} \u{2714} \u{2713} \u{2611}")

    /// Words after which a comma does not end the clause.
    static let openEnds = Phrases("bitten nicht dran daran darauf vergessen zeit lust jemanden dafür")

    /// Words that there is nothing to do.
    static let noNeeds = Phrases(
        "no need,can i,could i,may i,kann ich bitte,darf ich,not necessary,nicht nötig,nicht notwendig,",
        "brauchst nicht,musst nicht,"
    )

    /// Verbs before a name that ask or assign: "kann Tom", "das übernimmt Tom".
    static let verbsBeforeNames = Phrases(
        "can could will kann könnte würde übernimmt macht schickt bringt bestellt bucht schreibt organisiert",
        "besorgt prüft",
        "holt erstellt kauft plant erledigt liefert kontaktiert kümmert"
    )

    /// Those of them that another verb follows.
    static let auxiliaries = Phrases("can could will kann könnte würde")

    /// Words that make a list the sender's own.
    static let possessives = Phrases("my meine mein")

    /// Orders that only point at something.
    static let noOrders = Phrases(
        "stop it,stop that,drop it,send in the,stop the press,"
            + "take care,take your time,take it easy,take a break,take that,have fun,have a nice,have a good,"
            + "have a great,make sense,make yourself,"
            + "give me a break,get well,get a life,get lost,keep it up,keep up the,keep calm,keep going,hold on,"
            + "hang on,hang in,come on,look at that,"
            + "look who,guess what,guess who,let me know,let it go,let him,let her,let them,let the,watch out,"
            + "never mind,call me crazy,"
            + "tell me about it,talk about,speak of,show off,stay safe,stay tuned,say hi,thank god,bring it on,"
            + "count me in,count me out,"
            + "mark my words,wish me luck,cut it out,shut up,forget it,wait a minute,wait a second,read that,"
            + "leave it,try that,"
            + "sag mal,sagt mal,sag bloß,schau an,schau mal,mach's gut,machs gut,mach mal halblang,mach dir,"
            + "macht euch,halt die,"
            + "pass auf,pass mal,stell dir vor,stellt euch vor,stell dir,komm schon,lass mal,lass es,lass gut,"
            + "find ich,gib zu,nimm dir,",
        "check this,check it out,check out,schau mal hier,schaut mal hier,schau mal her,look at this,"
    )

    /// First words of openers that are German.
    static let germanOpeners = Phrases("ich muss werde kann wir müssen")

    /// German infinitives that name no task after "ich muss" and the like.
    static let germanStates = Phrases(
        "gehen reden sagen warten bleiben sein werden verstehen los schlafen leben lachen sehen hören zugeben",
        "probieren"
    )
}
