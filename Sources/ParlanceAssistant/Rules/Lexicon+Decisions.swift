/// Words of decisions and of urgency.
extension Lexicon {
    /// Words that state something as settled.
    static let decisions = Phrases(
        "agreed decided settled beschlossen entschieden abgemacht vereinbart geeinigt festgelegt beschluss einigung approved",
        "einverstanden consensus konsens genehmigt verabschiedet ausgemacht resolved",
        "decision is,decision :,final :,final decision,final answer,it's final,is final,that's final,we go with,we'll go with,",
        "we will go with,we're going with,we are going with,going with,we're sticking with,we stick with,we'll stick with,",
        "let's go with,lets go with,we settled on,settling on,we stay with,we're staying with,",
        "it is then,it is .,vote is closed,everyone agrees,all agree,everybody agrees,we all agree,we agree on,we agree that,",
        "steht fest,fest steht,ist fix,so machen wir's,so machen wir es,machen wir so,machen wir es so,so wird's gemacht,dann machen wir,dann nehmen wir,",
        "wir bleiben bei,bleiben wir bei,es bleibt bei,bleibt es bei,bleibt's bei,wir einigen uns,",
        "dann bleibt es,dann gilt,ab jetzt gilt,ab sofort gilt,gilt dann,gilt ab,from now on we,final entscheidung,dabei bleibt es,dabei bleibt's,",
        "wir setzen auf,wir entscheiden uns für,we have chosen,we chose,we picked,we opted for,we've picked,",
        "dann treffen wir uns,dann fahren wir,dann gehen wir,dann bestellen wir,dann gibt es,dann feiern wir,dann verschieben wir,",
        "decision made,it's official,final call,no objections,entscheidung ist gefallen,beschlossene sache,ok deal,"
            + "einstimmig,ergebnis der abstimmung,result of the vote,wird so gemacht,is fixed,done deal,it's a deal,signed off,green light,so be it,that settles it,"
    )

    /// Words that are a decision only at the end of a sentence.
    static let finalDecisions = Phrases("final abgemacht beschlossen", "it is,es dann,it is then,")

    /// Proposals that a word of closure makes decisions.
    static let proposals = Phrases(
        "let's use,let's do,let's take,let's make,let's keep,let's meet,let's move,lass uns,lasst uns,lassen wir,"
    )
    /// Words that close a discussion.
    static let closures = Phrases("then,done discussing,settled,final,case closed,end of discussion,dann,fertig,")

    /// Words that keep a sentence from being a decision.
    static let decisionBlocks = Phrases(
        "maybe perhaps vielleicht should could would might sollten könnten würde würden könnte sollte ob whether if falls",
        "wenn unless undecided unentschieden unclear unklar wonder think finde glaube denke suggest propose vorschlag proposal",
        "never yet would've fast almost nearly beinahe hätte hätten wäre wären suppose angenommen",
        "schlage schlagen",
        "i decided,i have decided,i've decided,not final,nicht final,he settled,she settled,settled in,by nobody,ich habe mich entschieden,ich hab mich entschieden,ich habe entschieden,ich hab entschieden,not agreed,not decided,not settled,nothing decided,nothing is decided,haven't decided,hasn't decided,nicht entschieden,",
        "noch nicht,nichts entschieden,nichts beschlossen,nicht beschlossen,haven't agreed,not yet,still open,noch offen,",
        "to be decided,be decided,get decided,be settled,be agreed,entschieden werden,beschlossen werden,vereinbart werden,",
        "have to decide,müssen entscheiden,i agreed,he decided,she decided,they decided,they agreed,has decided,had decided,",
        "ago,last year,letztes jahr,damals,last time,letztes mal,wurde damals,back then,früher,can be decided,if we,"
    )

    /// Words that make something urgent.
    static let urgent = Phrases(
        "urgent urgently asap immediately critical emergency dringend eilig eilt sofort notfall schnellstmöglich umgehend",
        "kritisch blocker outage unverzüglich",
        "right away,right now,as soon as possible,so schnell wie möglich,top priority,high priority,höchste priorität,"
    )

    /// Words that make something less urgent.
    static let calm = Phrases(
        "whenever irgendwann someday",
        "no rush,no hurry,not urgent,low priority,when you have time,when you get a chance,nice to have,isn't urgent,",
        "nicht dringend,nicht eilig,eilt nicht,keine eile,hat zeit,wenn du zeit hast,bei gelegenheit,kein stress,no stress,",
        "if you have time,fyi,zur info,nur zur info,just for information,"
    )

    /// Plans that are decisions beside a word such as "then" or "also gut" only.
    static let plans = Phrases(
        "we use,we'll use,we will use,we keep,we'll keep,we're keeping,we'll do,we're doing,we'll take,we do,we take,",
        "wir nehmen,wir machen,wir verwenden,wir fahren,wir gehen,wir verschieben,wir treffen uns,wir kaufen,wir lassen,",
        "nehmen wir,machen wir,verwenden wir,fahren wir,gehen wir,verschieben wir,treffen wir uns,kaufen wir,lassen wir,"
    )

    /// Words that give a plan as the end of a discussion.
    static let conclusions = Phrases(
        "then dann",
        "so we,ok we,okay we,right we,fine we,from now on,also gut,ab jetzt,ab sofort,na gut,"
    )
}
