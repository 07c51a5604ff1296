/// Words of decisions and of urgency.
extension Lexicon {
    /// Words that state something as settled.
    static let decisions = Phrases(
        "agreed decided settled beschlossen entschieden abgemacht vereinbart geeinigt festgelegt beschluss",
        "einigung approved",
        "einverstanden consensus konsens genehmigt verabschiedet ausgemacht resolved",
        "majority mehrheit unanimous unanimously einhellig einstimmig gebongt geritzt henceforth freigegeben",
        "einigkeit endgültig vertagt abgesegnet stattgegeben zugestimmt durchgewunken gekippt",
        "made up our minds,made up their minds,made up his mind,made up her mind,talked it over and,discussion closed,",
        "end of discussion,discussion over,we carry on with,we continue with,we stop,we'll stop,ruled it,settled it,",
        "now landed on,finally landed on,now settled on,motion is carried,motion was carried,now fixed,fixed at,fixed for,",
        "that's how we do it,thats how we do it,locking in,so machen wirs,machen wirs so,bleibt dabei,fiel die wahl,",
        "the decision is to,our decision is,decision was to,decision is to,we have a date,date is set,is set for,",
        "we have an agreement,we're agreed,we've agreed,we have agreed,reached an agreement,reached a decision,",
        "came to the conclusion,came down on,we've signed,we signed,has been moved to,has been changed to,",
        "die entscheidung ist,unsere entscheidung,haben entschieden,haben vereinbart,haben beschlossen,wird umgesetzt,",
        "so bleibt es,bleibt so,so lassen wir,lassen wir so,wir lassen das so,gilt jetzt,gilt nun,geht klar so,",
        "wir haben uns auf,haben uns auf,wir haben uns für,haben uns für,haben uns gegen,wir haben uns gegen,",
        "fiel die entscheidung,wir gehen mit,zuschlag geht an,zuschlag erhält,so gewollt,haben wir uns geeinigt,bleibt es dabei,",
        "we're going for,we are going for,plan stands,we're all set,no one objected,nobody objected,no objection,",
        "keine einwände,",
        "niemand hatte,keiner hatte einwände,niemand dagegen,keiner dagegen,it's a go,is a go,we stick to,",
        "we stay with,we will be using,",
        "we'll be using,das war's dann,that's it then,that's a no,steht :,bleibt beim,wir bleiben beim,",
        "wir bleiben bei,wir nehmen,wir gehen jetzt mit,",
        "happy with :,alle haben zugestimmt,haben zugestimmt,everyone's happy with,everyone is happy with,",
        "going ahead with,we're going ahead,we are going ahead,go ahead with,we go ahead with,it shall be,",
        "it will be then,",
        "we've gone with,we have gone with,we went with,went for option,we've chosen,we have picked,signed up to,",
        "on the same page,",
        "vote is in,votes are in,vote is over,vote is done,voted for,voted to,voted against,we voted,by majority,",
        "motion carried,motion passed,motion passes,",
        "has been approved,have been approved,is approved,was approved,got approved,been signed off,",
        "gets the go-ahead,got the green light,",
        "got the go ahead,that's settled,that's sorted,that's the plan,that's a yes,that's a no,is a yes,is a no,",
        "it's a yes,it's a no,",
        "locked in,lock it in,set in stone,no more debate,debate over,matter closed,done and dusted,",
        "pulling the plug,we won't be,",
        "we will not be,we will no longer,we no longer,from now on,from today,from tomorrow on,as of now,",
        "as of today,",
        "effective immediately,going forward,is off the table,winner is,we have a winner,show of hands,",
        "shook hands on,shaken hands on,",
        "sorted it out :,it stays,stays as is,stays put,we're keeping,came out in favour,in favour of,",
        "management has confirmed,gets the job,made up our minds,we made a call,the call is,we made the call,",
        "we've landed on,we landed on,we ended up choosing,we ended up with,we've opted for,we chose,",
        "we all said yes,everyone said yes,all in favour,",
        "everyone was for,everyone is for,everybody is in,everyone is in,by common consent,we've ruled out,",
        "we ruled out,we ruled,is ruled out,",
        "we have ruled,gets built,gets cancelled,we've scrapped,we've dropped,we've cancelled,we've canceled,",
        "we cancelled,we've moved,we've postponed,",
        "we cancel,we scrap,we drop,we postpone,we're done with,that's that,the answer is no,the answer is yes,",
        "the answer is,we said yes to,we said no to,",
        "ab sofort,ab jetzt,ab heute,ab morgen gilt,von nun an,ist durch,ist vom tisch,vom tisch,ist gestorben,",
        "ist gefallen,",
        "unter dach und fach,in trockenen tüchern,abstimmung ist rum,abstimmung ist durch,abstimmung ergab,",
        "mehrheit ist für,mehrheit war für,",
        "mehrheit hat,haben ja alle,alle dafür,alle waren dafür,alle sind dafür,alle einverstanden,alle einig,",
        "sind uns einig,waren uns einig,",
        "damit steht,steht damit,der termin steht,termin steht,der plan steht,steht jetzt,es wird der,",
        "es wird die,es wird das,wird es also,",
        "wird nicht verlängert,wird gestrichen,wird verschoben auf,wird abgesagt,fällt aus,ist abgesagt,",
        "ist gestrichen,ist gekauft,ist genehmigt,",
        "wir sagen den,wir sagen die,wir sagen das,wir verzichten auf,wir streichen,wir lassen es bei,",
        "wir bleiben dabei,wir verabschieden uns von,",
        "wir steigen um auf,wir wechseln zu,wir gehen mit plan,wir gehen mit der,wir gehen mit dem,",
        "wir haben gewählt,haben abgestimmt,gestimmt für,wir haben beschlossen,won the poll,won the vote,",
        "won the ballot,winner of the poll,winner of the vote,poll closed,poll is closed,everyone voted,",
        "everybody voted,",
        "umfrage gewonnen,abstimmung gewonnen,sieger der umfrage,gewinner der,umfrage beendet,umfrage ist,",
        "we're calling it off,calling it off,we're doing option,",
        "we're doing plan,wir machen option,wir machen plan,wir machen variante,wir blasen,damit ist klar,",
        "daran ändert sich,daran ändert,",
        "vorschlag angenommen,vorschlag abgelehnt,ist angenommen,ist abgelehnt,das ist der plan,",
        "",
        "antrag angenommen,antrag abgelehnt,angenommen mit,abgelehnt mit,wurde angenommen,wurde abgelehnt,",
        "wurde beschlossen,ist beschlossen,",
        "grünes licht,den zuschlag,zuschlag bekommt,so sei es,so bleibt's,so bleibt es,bleibt alles beim alten,",
        "bleibt beim alten,bleibt wie es ist,",
        "dann wird es,dann wird's,dann heißt es,dann wird das,dann wird der,dann wird die,dann eben,dann halt,",
        "dann also,also dann,ein für alle mal,hiermit,",
        "machen wir's so,machen wir das so,das machen wir so,wir machen das so,wir machen's so,wird so gemacht,",
        "so wird es gemacht,hand drauf,",
        "haben uns verständigt,uns verständigt auf,uns durchgerungen,fiel auf,wahl fiel,die wahl ist,",
        "wahl fällt auf,entscheidung steht,entscheidung lautet,",
        "ist raus aus,kommt nicht mehr,gibt es nicht mehr,gibt's nicht mehr,findet nicht statt,findet statt am,",
        "wir verlegen,wir verschieben,",
        "decision :,final :,final decision,final answer,it's final,is final,that's final,we go with,we'll go with,",
        "we will go with,we're going with,we are going with,going with,we're sticking with,we stick with,",
        "we'll stick with,",
        "let's go with,lets go with,we settled on,settling on,we stay with,we're staying with,",
        "it is then,it is .,vote is closed,everyone agrees,all agree,everybody agrees,we all agree,we agree on,",
        "we agree that,",
        "steht fest,fest steht,ist fix,so machen wir's,so machen wir es,machen wir so,machen wir es so,",
        "so wird's gemacht,dann machen wir,dann nehmen wir,",
        "wir bleiben bei,bleiben wir bei,es bleibt bei,bleibt es bei,bleibt's bei,wir einigen uns,",
        "dann bleibt es,dann gilt,ab jetzt gilt,ab sofort gilt,gilt dann,gilt ab,from now on we,",
        "final entscheidung,dabei bleibt es,dabei bleibt's,",
        "wir setzen auf,wir entscheiden uns für,we have chosen,we chose,we picked,we opted for,we've picked,",
        "dann treffen wir uns,dann fahren wir,dann bestellen wir,dann gibt es,dann feiern wir,",
        "dann verschieben wir,",
        "decision made,it's official,final call,no objections,entscheidung ist gefallen,beschlossene sache,ok deal,"
            + "einstimmig,ergebnis der abstimmung,result of the vote,wird so gemacht,is fixed,done deal,"
            + "it's a deal,signed off,green light,so be it,that settles it,"
    )

    /// Words that are a decision only at the end of a sentence.
    static let finalDecisions = Phrases(
        "final abgemacht beschlossen fixed fix gebongt endgültig settled agreed",
        "it is,es dann,it is then,it will be,it shall be,it's off,that's final,wird es,wird's,ist es,",
        "ist es geworden,es ist,"
    )

    /// Words that show a result before a colon at the start of a sentence.
    static let decisionHeads = Phrases(
        "agreed decided decision decisions settled final conclusion result results outcome verdict upshot",
        "resolution resolved",
        "confirmed approved fix fixed beschluss beschlüsse entscheidung ergebnis fazit einigung entschieden",
        "abgemacht vereinbart",
        "vereinbarung abstimmung vote consensus konsens official offiziell verbindlich poll umfrage protokoll",
        "einigkeit record beschlossen endgültig festgelegt deal"
    )

    /// Words that settle something by themselves when another sentence follows.
    static let verdicts = Phrases(
        "approved decided settled abgemacht genehmigt beschlossen entschieden granted denied rejected abgelehnt",
        "deal gebongt freigegeben vertagt abgesegnet angenommen gestrichen postponed cancelled canceled scrapped"
    )

    /// Words of games and tests, whose results are no decisions.
    static let games = Phrases(
        "match game spiel spiels spiele test tests quiz rennen lab blood exam prüfung race final's halbzeit half",
        "benchmark run"
    )

    /// Words of a plan that is given up.
    static let refusals = Phrases("nicht niemanden kein keine keinen nichts nie")

    /// Words before "decided to" that mean a group.
    static let deciders = Phrases(
        "we we've have all also just finally both board committee team group management everyone everybody jury",
        "council it's"
    )

    /// Those who decide for others.
    static let authorities = Phrases(
        "board committee council panel jury management team crew group captain skipper boss owners owner parents coaches",
        "coach headquarters hq director directors principal department leadership family landlord union members chair",
        "chief steering club everyone everybody majority mum dad",
        "vorstand chef chefin leitung geschäftsführung ausschuss rat jury team crew kapitän kapitänin eltern trainer",
        "mannschaft belegschaft versammlung mehrheit gruppe verein betriebsrat eigentümer vermieter direktion schulleitung",
        "gremium kommission familie"
    )

    /// What they do when they decide.
    static let rulings = Phrases(
        "approved rejected accepted adopted ruled concluded chose picked voted decided confirmed declined vetoed granted",
        "refused endorsed selected settled agreed chosen picked postponed cancelled canceled scrapped",
        "signed off,went for,opted for,turned down,gave the green light,said no,said yes,wants it,made up,",
        "genehmigt beschlossen entschieden abgelehnt bewilligt zugestimmt abgesegnet gestrichen vertagt gewählt",
        "freigegeben verabschiedet gekippt bestätigt festgelegt"
    )

    /// What is settled when something "is" or "gets" it.
    static let settledStates = Phrases(
        "cancelled canceled postponed scrapped rejected adopted axed shelved abandoned rescheduled chosen selected agreed",
        "decided dropped outvoted overruled",
        "called off,put off,moved to,pushed back,pushed to,voted down,turned down,put on hold,brought forward,",
        "abgesagt vertagt verschoben gestrichen abgelehnt genehmigt beschlossen gekippt verworfen abgeblasen"
    )

    /// Words between a thing and its state.
    static let copulas = Phrases("is are was were gets get got been ist sind wird werden wurde wurden")

    /// Words of a vote.
    static let votes = Phrases("vote votes voted stimmen abstimmung gestimmt abgestimmt ballot poll stimmten majority")

    /// Words that give in: the plan after them is settled.
    static let concessions = Phrases(
        "überzeugt convinced gewonnen deal sold verkauft",
        "na gut,also gut,you win,ok fine,fine by me,all right then,alright then,du hast gewonnen,schon gut,",
        "fair enough,"
    )

    /// First words of a sentence that states no decision.
    static let decisionQuestionStarts = Phrases(
        "who what why how when where which wer was warum wieso weshalb wann wo welche welcher welches did does",
        "do is are was",
        "were have has had can will shall haben hat hatte sind ist"
    )

    /// Words after "haben" that show a left-out "wir".
    static let droppedSubjects = Phrases(
        "gestern heute uns jetzt gerade nun eben lange gemeinsam einstimmig alle soeben"
    )

    /// Gerunds after "we're" that settle something.
    static let settlingGerunds = Phrases(
        "sticking dropping scrapping ditching cancelling canceling postponing skipping switching adopting",
        "keeping choosing",
        "abandoning shelving discontinuing closing renaming axing binning settling opting rescheduling"
    )

    /// Words before a German plan: "dann verlegen wir".
    static let germanConclusions = Phrases("dann also somit damit")

    /// German verbs after "dann" that settle nothing.
    static let germanStatesOfGroup = Phrases(
        "haben sind müssen können sollten sollen wollen werden würden hätten wären sehen wissen brauchen dürfen",
        "könnten müssten",
        "warten schauen hoffen reden denken kommen stehen sitzen waren hatten gucken kriegen bekommen"
    )

    /// First words of a sentence with a plan that ends a discussion.
    static let conclusionStarts = Phrases("also so ok okay okey right fine alright gut then dann deal settled good")

    /// Words that end a remark such as "Tuesday then".
    static let remarkEnds = Phrases("then dann")

    /// Words between "then" and the day of such a remark.
    static let remarkLinks = Phrases("it's am on is ist es der den das also eben halt wieder")

    /// Words that keep such a remark from being settled.
    static let remarkBlocks = Phrases(
        "see until till by back since bis seit i i'll ich and und what bye talk later even just every thanks was",
        "were had",
        "you he she they done finished free away gone busy"
    )

    /// Proposals that a word of closure makes decisions.
    static let proposals = Phrases(
        "let's use,let's do,let's take,let's make,let's keep,let's meet,let's move,let's call off,let's cancel,let's skip,",
        "let's drop,let's postpone,let's go,let's stay,let's stick,let's pick,lass uns,lasst uns,lassen wir,"
    )
    /// Words that close a discussion.
    static let closures = Phrases("then,done discussing,settled,final,case closed,end of discussion,dann,fertig,")

    /// Words that keep a sentence from being a decision.
    static let decisionBlocks = Phrases(
        "maybe perhaps vielleicht should could would might sollten könnten würde würden könnte sollte ob whether",
        "if falls",
        "wenn unless undecided unentschieden unclear unklar wonder think finde glaube denke suggest propose",
        "proposal",
        "never yet would've fast almost nearly beinahe hätte hätten wäre wären suppose",
        "schlage schlagen eigentlich rumour gerücht hoffentlich hopefully wish wünschte imho meinetwegen",
        "supposedly angeblich",
        "rather lieber",
        "i hope,sobald,as soon as,once we,until we,bis wir,before we,bevor wir,not sure,nicht sicher,",
        "in favour of waiting,i guess,i'd,ich wäre,ich würde,",
        "angenommen wir,angenommen es,angenommen der,angenommen die,angenommen das,angenommen du,angenommen ich,",
        "mal angenommen,",
        "usually normally normalerweise meistens immer always täglich busy",
        "every day,every week,every time,every year,every morning,jeden tag,jeden morgen,jede woche,jedes mal,",
        "jedes jahr,hat sich entschieden,",
        "haben sich entschieden,deal breaker,big deal,a deal of,what it is,how it is,as it is,wie es ist,",
        "halt nicht,nicht geeinigt,nicht einig,decided nothing,agreed on nothing,settled nothing,nothing was decided,",
        "nothing was agreed,nothing is decided,nothing decided,no decision,nichts entschieden,nichts beschlossen,",
        "nichts vereinbart,keine entscheidung,keinen beschluss,kein beschluss,",
        "mein vorschlag,ein vorschlag,neuer vorschlag,als vorschlag,has agreed to,kindly agreed,",
        "agreed to disagree,",
        "no idea,no problem,no worries,no wonder,no clue,no rush,no chance,keine ahnung,keine sorge,kein problem,",
        "kein wunder,keine panik,",
        "kein stress,keine zeit,keine lust,no way,no luck,keeping an,keeping up,keeping track,keeping fit,",
        "schlafen,zur abwechslung,",
        "i decided to,i have decided to,i've decided to,i decided not,i've decided not,not final,nicht final,",
        "nothing is final,he settled,she settled,settled in,by nobody,please vote,vote by,zwischenstand,still has to,",
        "still have to,from now on i,the approved,im handel,ask the,frag die,nachfragen,fragen wir,not been,isn't,",
        "wasn't,weren't,aren't,wurde nicht,ist nicht,wird nicht entschieden,not agreed,",
        "not decided,not settled,nothing decided,nothing is decided,haven't decided,hasn't decided,",
        "nicht entschieden,",
        "noch nicht,nichts entschieden,nichts beschlossen,nicht beschlossen,haven't agreed,not yet,still open,",
        "noch offen,",
        "to be decided,be decided,get decided,be settled,be agreed,entschieden werden,beschlossen werden,",
        "vereinbart werden,",
        "have to decide,müssen entscheiden,i agreed,he decided,she decided,they decided,they agreed,has decided to,",
        "had decided,letztem jahr,nochmal darüber,nochmal drüber,what did,what have,so far,bisher,bislang,",
        "ago,last year,letztes jahr,damals,last time,letztes mal,wurde damals,back then,früher,can be decided,",
        "if we,"
    )

    /// Words that make something urgent.
    static let urgent = Phrases(
        "urgent urgently asap immediately critical emergency dringend eilig eilt sofort notfall schnellstmöglich",
        "umgehend",
        "kritisch blocker outage unverzüglich",
        "right away,right now,as soon as possible,so schnell wie möglich,top priority,high priority,",
        "höchste priorität,"
    )

    /// Words that make something less urgent.
    static let calm = Phrases(
        "whenever irgendwann someday",
        "no rush,no hurry,not urgent,low priority,when you have time,when you get a chance,nice to have,",
        "isn't urgent,",
        "nicht dringend,nicht eilig,eilt nicht,keine eile,hat zeit,wenn du zeit hast,bei gelegenheit,kein stress,",
        "no stress,",
        "if you have time,fyi,zur info,nur zur info,just for information,"
    )

    /// Plans that are decisions beside a word such as "then" or "also gut" only.
    static let plans = Phrases(
        "stays,remains,bleibt,wins,",
        "we go,we ship,we start,we meet,we leave,we order,we buy,we pick,we move,we cancel,we drop,we stay,",
        "we stick,we switch,we hire,we paint,",
        "we launch,we book,we choose,we hold,we run,we skip,we split,we close,we open,we play,we send,we print,",
        "we share,we'll use,we'll go,",
        "we'll meet,we'll start,we'll stay,we'll stick,we'll order,we'll buy,we'll move,we'll cancel,we'll drop,",
        "we'll have,we'll hold,we'll skip,",
        "we'll book,we'll pick,we'll switch,we'll run,we'll split,we'll paint,we'll play,we'll share,",
        "we'll launch,we'll ship,we'll leave it,so no,",
        "also kein,also keine,also keinen,dann kein,dann keine,dann keinen,wir bleiben,wir bestellen,",
        "wir streichen,wir wechseln,",
        "wir starten,wir buchen,wir spielen,wir feiern,wir grillen,wir malen,wir drucken,wir kündigen,",
        "wir behalten,wir verlegen,wir mieten,wir fangen,",
        "wir liefern,wir schließen,wir öffnen,wir stellen um,wir bauen,wir holen,wir essen,wir setzen,",
        "bestellen wir,streichen wir,buchen wir,",
        "it's going to be,it's gonna be,",
        "we use,we'll use,we will use,we keep,we'll keep,we're keeping,we'll do,we're doing,we'll take,we do,",
        "we take,",
        "wir nehmen,wir machen,wir verwenden,wir fahren,wir gehen,wir verschieben,wir treffen uns,wir kaufen,",
        "wir lassen,",
        "nehmen wir,machen wir,verwenden wir,fahren wir,gehen wir,verschieben wir,treffen wir uns,kaufen wir,",
        "lassen wir,"
    )

    /// Words that give a plan as the end of a discussion.
    static let conclusions = Phrases(
        "then dann",
        "after all,instead,stattdessen,wir doch,doch den,doch die,doch das,",
        "starting next,starting monday,from next,as of next,ab nächster woche,ab nächstem,ab nächsten,",
        "ab kommender,",
        "so we,ok we,okay we,right we,fine we,from now on,also gut,ab jetzt,ab sofort,na gut,"
    )
}
