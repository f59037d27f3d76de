//! Ways to say that all is done in one sitting, and ways to say that a step waits for another day.

use std::sync::LazyLock;

use regex::Regex;

/// What a class meets for.
const SITTING: &str = r"(?:class(?:es)?|lessons?|sittings?|sessions?|periods?|visits?|practicals?|meetings?|workshops?|blocks?|labs?|trips?
    |get-togethers?|appointments?|slots?|occasions?|encounters?)";
const PERIOD: &str =
    r"(?:class\ |lab\ |lesson\ |school\ |science\ |practical\ |double\ |short\ |teaching\ |[\w-]+[-\ ]minute\ )?";
const COUNT: &str = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|several|some|a\ few|a\ couple\ of|\d{1,2})";
/// What may be left standing.
const WORK: &str = r"(?:experiments?|work|set-?ups?|projects?|activit(?:y|ies)|investigations?|measurements?|samples?|tests?|trials?|practicals?
    |things?|jars?|cups?|dish(?:es)?|trays?|beakers?|tubes?|pots?|it|this|them|anything|any\ of\ (?:it|this|them))";
const NOT: &str = r"(?:not|never|cannot|no\ longer|\w+n(?:'|’)t|nor|nobody|no\ one|none|nothing|no)";
const WEEKDAY: &str = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?";

/// The patterns.
pub(super) struct Forms {
    /// Says that there is one sitting only.
    pub(super) claim: Regex,
    /// Says that nothing stays, or is come back to.
    pub(super) gone: Regex,
    /// Says that the class does not come back.
    pub(super) left: Regex,
    /// Says that something is done with on the day.
    pub(super) due: Regex,
    /// Takes that back: only a part is done in it.
    pub(super) part: Regex,
    /// Speaks of all of it although it names a part: "set up and finish".
    pub(super) whole: Regex,
    /// Waits for another day.
    pub(super) wait: Regex,
    /// Waits for another day, by when that is.
    pub(super) later: Regex,
    /// The waiting was before the lesson, or is not done.
    pub(super) outside: Regex,
    /// What is not to be disturbed does wait.
    pub(super) still: Regex,
    /// A rule about what is dangerous to leave.
    pub(super) hazard: Regex,
    /// The sentence is about waiting elsewhere, or in thought.
    pub(super) elsewhere: Regex,
}

/// The patterns, compiled once.
pub(super) static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: String| {
        let compiled = Regex::new(&format!("(?ix-u){pattern}"));
        debug_assert!(compiled.is_ok(), "{compiled:?}");
        compiled.ok()
    };
    Some(Forms {
        claim: read(format!(
            r"\b(?: no\ (?:follow[-\ ]?up|second|further|later|other|return|repeat|more|subsequent|additional|next)\ {PERIOD}(?:{SITTING}|days?|dates?)
                | (?:in|within|during|inside|into|over)\ (?:only\ |just\ |exactly\ )?(?:the\ (?:course|space)\ of\ )?(?:a\ single|one\ and\ the\ same|one\ single|this\ one|this\ single|the\ one|one|the\ same|this\ same|a\ one-off|our\ one|our\ single|your\ one)\ {PERIOD}(?:{SITTING}|afternoon|morning|school\ day)
                | (?:everything|all\ (?:of\ )?(?:the|your|our|their)|(?:the\ )?(?:whole|entire))\ (?:[\w'-]+\ ){{0,6}}(?:in|within|during|inside)\ (?:a|an|one)\ {PERIOD}{SITTING}
                | from\ (?:a\ to\ z|start\ to\ finish|(?:the\ )?beginning\ to\ (?:the\ )?end|\w+ing\ to\ \w+ing)\ (?:[\w'-]+\ ){{0,4}}(?:today|this|a\ single|one|the\ same)\ ?(?:very\ |one\ )?(?:{SITTING}|day|afternoon|morning)?
                | is\ (?:just\ |only\ )?(?:this|the)\ one\ {PERIOD}{SITTING}
                | (?:end|close|bell)\ of\ (?:the|that)\ (?:very\ |same\ )?{PERIOD}(?:{SITTING}|day)\ (?:in|on|at)\ which
                | (?:we|class(?:es)?|groups?|pupils|students|children|learners|visitors|they|who|nobody|no\ one)\ (?:(?:will|do|does|can|is|are)\ )?(?:not\ |never\ |cannot\ |won(?:'|’)t\ )?(?:to\ )?(?:see|come\ back|return|be\ back|asked\ to\ come)\ (?:[\w'-]+\ ){{0,4}}(?:afterwards|on\ another\ day)
                | (?:only|just|but|with\ this|with\ the)\ (?:this\ |the\ |a\ )?(?:one|single)\ {PERIOD}(?:{SITTING}|day|afternoon|morning)
                | (?:whole|entire|everything|all|finish\w*|complet\w*|collect\w*|done|do|fits?|start\w*|from\ \w+\ to\ \w+)\ (?:[\w'-]+\ ){{0,8}}(?:in|on|within|inside)\ (?:just\ |only\ )?(?:a\ single|one|one\ single|the\ same|one\ and\ the\ same)\ (?:day|morning|go)
                | (?:in|at)\ one\ (?:go|sitting|stretch)
                | (?:one|single)[-\ ](?:day|session|lesson|sitting|period|visit|off|time|shot)\ {PERIOD}(?:{SITTING}|activity|investigation|experiment|project|unit|event|affair|job)
                | once[-\ ]only\ {PERIOD}{SITTING} | our\ (?:one\ and\ )?only\ {PERIOD}{SITTING}
                | (?:have|ha[ds]|get)\ (?:[\w'-]+\ ){{1,4}}for\ (?:just\ |only\ )?(?:a\ single|one)\ (?:{SITTING}|day|afternoon|morning)
                | (?:comes?|meets?|visits?|here|have|see)\ (?:[\w'-]+\ ){{0,5}}(?:just|only)\ (?:this\ )?once
                | only\ (?:have|get|got)\ today | today\ only | only\ (?:\w+\ ){{0,3}}for\ (?:one|a\ single)\ (?:day|{SITTING}) | no\ (?:time|lesson|chance|room|meeting)\ (?:\w+\ )?(?:on|for|at|in)\ (?:another|a\ later|a\ second)
                | (?:one|single)-(?:day|session|lesson|sitting|period|visit)\ (?:look|study|lesson|exploration|enquiry|inquiry|trip|test|topic|task|course|adventure|demonstration|practical)
                | (?:we|it|this|everything|class|lesson|experiment)\ (?:all\ )?(?:ends?|finish(?:es)?|stops?)\ today
                | only\ (?:meets?|comes?|see|visits?|get)\ (?:[\w'-]+\ ){{0,3}}once | (?:this|today|one|an?)\ ?\w*\ and\ (?:never|not)\ again
                | same[-\ ]day\ (?:results?|experiment|investigation|activity|lab) | results?\ (?:\w+\ ){{0,3}}(?:on\ )?(?:the\ |that\ )?(?:very\ )?same\ (?:day|lesson|session|class)
                | between\ one\ bell\ and\ the\ next | before\ this\ (?:very|same)\ {PERIOD}{SITTING}\ (?:is\ over|ends|finishes) | on\ no\ other\ (?:day|date|occasion)
                | (?:seen|visible|known|ready|in)\ (?:with)?in\ the\ (?:hour|same\ hour) | (?:finished|complete[d]?|done)\ (?:[\w'-]+\ ){{0,6}}(?:when|before|by\ the\ time)\ the\ [\w-]+\ minutes\ are\ (?:up|over)
                | same\ (?:day|{SITTING})\ (?:that|as|on\ which|in\ which)\ (?:[\w'-]+\ ){{1,3}}(?:is|are|was|were)\ (?:begun|started|set\ up)
                | that\ same\ day | (?:over|done|finished|completed?|through)\ (?:\w+\ ){{0,3}}(?:by|before|when|at)\ the\ (?:final\ |last\ |lunch\ |closing\ )?bell
                | (?:nothing|no\ part\ of\ (?:it|this))\ (?:\w+\ ){{0,5}}(?:overnight|another\ day|tomorrow|next\ (?:day|lesson|time|week)|the\ following\ \w+)
                | (?:not|cannot|never|\w+n(?:'|’)t|nor)\ (?:\w+\ ){{0,3}}(?:come\ back|return|go\ back|see|revisit|look\ at|meet|be\ back|touch|visit|continue|pick)\ (?:[\w'-]+\ ){{0,7}}(?:again|a\ second\ time|another\ (?:day|time)|next\ (?:day|lesson|week|time)|tomorrow|later|afterwards)
                | (?:not|cannot|never|\w+n(?:'|’)t)\ (?:\w+\ ){{0,2}}(?:run|go|spill|stretch|carry|spread|extend|continue)\ (?:\w+\ )?(?:over\ |on\ )?(?:in)?to\ (?:a\ (?:second|further|next)|another|the\ next|tomorrow)
                | (?:finish(?:ed|es)?|complete[sd]?|done|over|ends|wrapped\ up|concluded?)\ (?:\w+\ ){{0,4}}(?:today|the\ same\ day|(?:in|within|during)\ (?:this|the|one|a)\ {PERIOD}{SITTING})
                | (?:everything|all\ (?:the\ |of\ the\ |of\ it\ |our\ |your\ |their\ )?(?:data|results|readings|measurements|work|counts?|parts|it)?|(?:whole|entire)\ \w+|final\ \w+|investigation|experiment)\ (?:[\w'-]+\ ){{0,8}}(?:today|tonight|this\ (?:very\ )?(?:afternoon|morning)|(?:by|before)\ the\ (?:end\ of\ (?:the\ |this\ )?{PERIOD}{SITTING}|bell)|before\ (?:you|we|they|students|pupils|anyone)\ (?:leave|go|pack)\w*|before\ (?:the\ |this\ )?{PERIOD}{SITTING}\ (?:is\ over|ends|finishes|is\ out)|(?:in|within|during)\ (?:this|today(?:'|’)s|the)\ {PERIOD}{SITTING}|(?:within|inside)\ (?:the|an|one)\ hour)
                | results\ (?:\w+\ ){{0,4}}before\ (?:the\ |this\ )?{PERIOD}{SITTING}\ (?:is\ over|ends|finishes|is\ out) )\b"
        ))?,
        gone: read(format!(
            r"\b(?: (?:last|final|every)\ (?:readings?|measurements?|results?|counts?|figures?|values?|data)\ (?:[\w'-]+\ ){{0,5}}(?:when|by\ the\ time|before|as)\ (?:this|the|our)\ {PERIOD}{SITTING}\ (?:is\ (?:over|out|done|up)|ends?|finish(?:es)?|closes?)
                | (?:this|today|it|that|here|ours?)\ (?:is|are|was|will\ be|has\ to\ be|being)\ (?:\w+\ ){{0,2}}(?:only|sole|single|one)\ (?:and\ only\ )?{PERIOD}(?:{SITTING}|day|afternoon|morning|hour)
                | one\ and\ only\ {PERIOD}(?:{SITTING}|day|afternoon|morning|hour) | (?:stand-?alone|self-contained)\ {PERIOD}(?:{SITTING}|investigation|activity|unit|event)
                | (?:this|the|one|a\ single)\ {PERIOD}{SITTING}\ (?:only|alone) | for\ one\ {PERIOD}(?:day|{SITTING})\ only | in\ this\ {SITTING}\ alone
                | no\ {WORK}\ (?:\w+\ ){{0,2}}(?:is|are|be)\ left\ (?:standing|out|behind|in\ place|over\ the\ weekend)
                | {NOT}\ (?:[\w'-]+\ ){{0,4}}(?:com(?:e|es|ing)|return\w*|go(?:es)?\ (?:back|on)|continu\w*|resum\w*|carr(?:y|ies|ied)\ on|(?:pick(?:ed|s)?|tak(?:e|es|en))\ (?:\w+\ )?up|meets?|work(?:ed)?\ on|look(?:ed)?\ at|reopen\w*|follow(?:ed)?\ up|visit\w*|revisit\w*|be\ (?:back|here|seen|visited))\ (?:[\w'-]+\ ){{0,4}}(?:again|another\ (?:day|time|{SITTING})|(?:on\ |in\ |at\ )?a\ (?:second|later|further|different|follow-?up)\ (?:day|date|time|{SITTING})|next\ (?:day|lesson|week|time)|tomorrow|the\ (?:next|following)\ (?:day|morning|week|{SITTING}))
                | (?:nothing|none\ of\ (?:it|this|these|them|the\ \w+)|no\ {WORK}|{NOT}\ (?:\w+\ ){{0,3}}(?:leave|keep|store|hold|save)\ (?:\w+\ )?{WORK})\ (?:[\w'-]+\ ){{0,6}}?(?:left|kept|stored?|stand\w*|stays?|stayed|remains?|held\ over|saved|waits?|runs?|sits?|goes|carried|overnight|for|until|till|between)\ (?:[\w'-]+\ ){{0,4}}?(?:overnight|another\ (?:day|{SITTING})|tomorrow|(?:the\ |a\ )?(?:next|following|later|second)\ (?:day|morning|week|{SITTING})|(?:beyond|past|after)\ (?:the|this)\ (?:bell|{SITTING})|between\ (?:\w+\ )?{SITTING}|over\ the\ (?:weekend|night))
                | nothing\ (?:is|can\ be|may\ be|will\ be|gets)\ (?:left|kept)\ overnight
                | no\ \w+\ (?:may|can|must|should|is\ to|are\ to)\ (?:be\ )?(?:left|kept|stay|stand|remain|sit|stored)\ (?:[\w'-]+\ ){{0,3}}overnight
                | everything\ is\ (?:\w+,?\ ){{1,5}}on\ the\ (?:very\ |same\ )?day\ itself
                | everything\ is\ (?:\w+,?\ ){{1,3}}and\ (?:\w+\ ){{1,2}}today
                | every\ (?:reading|measurement|result|count|figure|value)\ (?:\w+\ ){{1,5}}by\ the\ (?:bell|end\ of\ (?:the|this|today(?:'|’)s)\ {PERIOD}{SITTING})
                | nothing\ (?:needs|has)\ to\ be\ left\ (?:to\ stand|standing|overnight|for\ later)
                | {WORK}\ (?:may|can|could|must|is|are|will|should|do|does)?\ ?{NOT}\ (?:be\ |to\ be\ |to\ )?(?:allowed\ to\ )?(?:stay|remain|left|kept|stand|sit|stored|keep)\w*\ (?:[\w'-]+\ ){{0,4}}?(?:overnight|(?:until|till)\ (?:tomorrow|the\ next)|past\ (?:today|the\ bell)|(?:beyond|after)\ (?:today|(?:this|the)\ {SITTING}))
                | (?:room|rooms|benches|bench|tables?|hall|lab|laborator(?:y|ies)|space|desks|shelves|kitchen|gym)\ (?:is|are|must\ be|has\ to\ be|have\ to\ be|will\ be|gets?|needs?\ to\ be)\ (?:completely\ |fully\ )?(?:cleared|emptied|stripped|cleaned\ out|handed\ back|given\ back)\ (?:out\ |away\ )?(?:straight|right|immediately|directly|at\ once)?\ ?(?:after|by|at|before)\ (?:the\ (?:end\ of\ )?)?(?:the\ |this\ |our\ )?(?:{PERIOD}{SITTING}|bell|afternoon|hour)
                | (?:beg[iau]n|starts?|started|opened?|set\ up)\ (?:and|to)\ (?:end(?:s|ed)?|finish(?:es|ed)?|closed?|over|cleared(?:\ away)?|complete[ds]?|done)\ (?:\w+\ ){{0,3}}(?:today|(?:in|within|inside|during)\ (?:this|the|one|a|our)\ {PERIOD}(?:{SITTING}|hour|day|afternoon|morning)|(?:on\ )?the\ same\ (?:day|{SITTING}|afternoon|morning))
                | (?:everything|all\ (?:of\ (?:it|this)|the\ \w+|\w+)|(?:the\ )?(?:whole|entire)\ \w+|results?|answers?|data|readings|measurements|finished|complete[d]?|done|over)\ (?:[\w'-]+\ ){{0,8}}(?:before|by|when|until)\ (?:home[-\ ]time|lunch(?:time)?|break|the\ (?:final\ |last\ |lunch\ |closing\ |home\ )?bell|dismissal|the\ (?:van|bus|lab)\ \w+|the\ end\ of\ (?:the|this|our|today(?:'|’)s)\ {PERIOD}(?:{SITTING}|day|afternoon|morning|hour))
                | (?:everything|all\ (?:of\ (?:it|this)|the\ \w+)|(?:the\ )?(?:whole|entire)\ \w+|experiment|investigation|work|readings|results?|findings|figures|counts?|heights|masses|lengths)\ (?:[\w'-]+\ ){{0,6}}(?:the|that|this|very)\ same\ (?:day|{SITTING}|afternoon|morning) )\b"
        ))?,
        left: read(
            r"\b(?:it(?:'|’)?s|this\ is|today\ is)\ (?:\w+\ ){0,2}a\ one-?\ ?off\ *(?:[.,;:)]|$)
                |\b(?:never|not|cannot|\w+n(?:'|’)t)\ (?:ever\ )?(?:revisit|return\ to)\ (?:it|this|them|these)\b
                |\b(?:not|never|cannot|\w+n(?:'|’)t)\ (?:\w+\ )?see\ (?:it|them|these|those|the\ \w+|any\ of\ (?:it|them))\ (?:again|after\ (?:that|today|this|lunch|the\ bell))\b
                |\b(?:at|by|before)\ the\ end\ of\ (?:(?:the|this|our)\ )?(?:class|lesson|period|session|hour|day|afternoon|morning|visit)\ (?:the|our)\ (?:pool|pond|hall|gym|kitchen|greenhouse|corridor|hallway|stage|court|fridge|freezer|roof|yard|library|cafeteria|canteen|room)\ (?:must|has\ to|needs?\ to)\ be\ (?:\w+\ )?(?:empty|clear|cleared|emptied|bare|free|given\ back)\b
                |\b(?:class|group|children|pupils|students|we|you|they)\ (?:comes?|meets?|visits?)\ (?:here\ |us\ )?once\ *(?:[,.;:)]|and\ |$)
                |\b(?:all|every)\ (?:\w+\ ){1,4}on\ the\ (?:very\ |same\ )?day\ *(?:[,.;:)]|$)
                |\bno\ follow[-\ ]?up(?:\ (?:is|will|planned|possible|afterwards|or|and)\b|\ *[.,;:)])
                |(?:[,;:]|and)\ (?:does|do|will)(?:n(?:'|’)t|\ not)\ (?:return|come\ back)\ *(?:[.,;:)]|$)|\b(?:we|class(?:es)?|groups?|pupils|students|children|learners|visitors|they|who)\ (?:(?:will|do|does|can)\ )?(?:not|never|cannot|won(?:'|’)t|don(?:'|’)t)\ (?:ever\ )?(?:return|come\ back|be\ back)(?:\ to\ (?:this|the|it|our|these)(?:\ \w+)?)?\ *(?:[.,;:)]|$)".to_owned(),
        )?,
        due: read(format!(
            r"\b(?: (?:back|returned?|emptied|thrown\ (?:out|away)|destroyed|binned|discarded|cleared\ away|taken\ (?:down|apart|away)|dismantled|tipped\ out|measured|weighed|counted|read\ off|harvested|rinsed|washed\ up|collected|eaten|(?:goe?s?|taken|sent|carried)\ home|(?:goe?s?|put|tipped)\ (?:in|into|on|to)\ the\ (?:compost|bin|bucket|sink|drain))\ (?:[\w'-]+,?\ ){{0,8}}?(?:before\ the\ (?:last|school)\ bus|on\ (?:the\ )?(?:very\ same\ day|same\ day|day\ of\ \w+|\w+ing\ day)|today|this\ (?:very\ |same\ )?(?:afternoon|morning|lunchtime)|tonight|the\ same\ (?:day|{SITTING}|afternoon|morning)|(?:by|at|before)\ the\ (?:end|close)\ of\ (?:this|today(?:'|’)s|the)\ (?:very\ |same\ )?{PERIOD}(?:{SITTING}|day|morning|afternoon|hour)|before\ (?:the\ class|pupils|students|they|you|we|anyone|everyone|the\ children)\ (?:goes|go|leaves?)(?:\ home)?|by\ (?:lunch(?:time)?|noon|home[-\ ]time)|before\ (?:the\ )?(?:bell|lunch|home[-\ ]time))
                | (?:on\ loan|borrowed|hired|lent|rented|(?:hire|loan)\ (?:ends|is\ over))\ (?:[\w'-]+\ ){{0,6}}(?:today|(?:this|one)\ (?:hour|morning|afternoon|day|{SITTING})\ (?:only|alone)|tonight) )\b"
        ))?,
        whole: read(
            r"\b(?:no\ (?:homework|set-up|part\ of\ it)|from\ beginning\ to\ end|(?:begin|start|set(?:ting)?\ up|open)s?\ (?:and|to)\ (?:end|finish|complete|close)(?:s|es)?|every\ (?:result|reading|count|measurement|figure))\b".to_owned(),
        )?,
        part: read(
            r"\b(?:start(?:s|ing)?\ (?:the|your|our|an?)\ \w+|set(?:s|ting)?\ up|setup|prepar\w+|begin\w*|(?:the|our|your)\ (?:first|second|third)|each|every|per|part|phase|in\ another\ (?:class|lesson|session)|set-up|drawings?|sketch\w*|once\ a|if|unless|except|(?:cannot|can(?:'|’)t)\ (?:\w+\ )?(?:be\ )?(?:finish|complet|done|do|fit)\w*|ticket|quiz|sheets?|tables?|charts?|worksheets?|not\ (?:be\ )?(?:finish|complete|done|possible|enough|fit|all)\w*|more\ than|at\ least|not\ (?:\w+\ ){0,3}in\ (?:one|a\ single|just|the\ same|this)\ |not\ just|not\ only|two|three|several|half|instead|rather|impossible|too\ (?:long|much|short)|hard|difficult|one\ visit\ (?:later|per|each|before|after|plus)|one\ (?:lesson|session|class|period)\ (?:later|a|per|each|before|after|plus|to)|homework|prediction|plan)\b".to_owned(),
        )?,
        wait: read(format!(
            r"\b(?: overnight | (?:until|till|til|by|on|come)\ (?:the\ )?(?:next\ |following\ )?(?:{WEEKDAY}|tomorrow)
                | (?:until|till|til)\ (?:the\ )?(?:next|following)\ \w+
                | (?:for|after|wait|within|over|leave\ (?:\w+\ ){{1,3}}|lasts?|takes?|give\ (?:\w+\ ){{1,3}})\ ?(?:the\ (?:next|following|coming)\ |about\ |around\ |roughly\ |at\ least\ |another\ |a\ further\ |up\ to\ |just\ |exactly\ |the\ )?{COUNT}(?:\ (?:to|or)\ \w+)?\ (?:school\ |more\ |full\ |whole\ |further\ |long\ )?(?:days|weeks|nights|weekends|months)
                | {COUNT}\ (?:full\ |whole\ |school\ |more\ )?(?:days|mornings|afternoons|nights|weeks|lessons)\ (?:running|in\ a\ row|in\ succession|on\ end|straight) | (?:leave|give|allow|let|keep)\ (?:[\w'-]+\ ){{1,5}}(?:an?|one|the|another)\ (?:whole\ |full\ )?(?:day|week|night|fortnight|weekend)
                | (?:over|during|through|throughout|across|for)\ the\ (?:next|coming|following|rest\ of\ the|whole)\ (?:few\ |couple\ of\ )?(?:days|weeks?|weekend|fortnight) | (?:over|through|throughout)\ the\ (?:weekend|fortnight|half-term|holidays?|week) | all\ (?:week|weekend|night)(?:\ long)? | between\ (?:the\ |our\ |two\ )?(?:lessons|sessions|classes)
                | an?\ (?:day|week|fortnight|month)\ (?:later|from\ now|on|afterwards) | in\ an?\ (?:week|fortnight)(?:'|’)s\ time | after\ the\ (?:weekend|holidays?|break)
                | (?:when|until|till)\ (?:we|you|they|the\ class)\ (?:next\ (?:meets?|come|have)|meets?\ (?:again|next)|ha(?:ve|s)\ science\ (?:again|next)) | (?:in|at|until|till)\ (?:our|the|your|a)\ (?:[\w-]+\ )?{SITTING}\ (?:on\ {WEEKDAY}|tomorrow|next\ week)
                | (?:in|at|until|till|by|for|on|during)\ (?:our|your|the)\ (?:next|second|following|later|follow-?up)\ (?:{SITTING}|time) | (?:until|till)\ (?:the\ )?morning | in\ a\ fortnight | come\ back\ (?:in|after)\ {COUNT}\ (?:days?|weeks?) | {COUNT}\ (?:days?|weeks?)\ after\ \w+ing | (?:for|after)\ {COUNT}\ nights | the\ (?:day|morning|week)\ after | on\ the\ (?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{{1,2}}(?:nd|rd|th))\ (?:day|morning)
                | (?:for|after|wait)\ (?:about\ )?(?:a|one|the|another)\ (?:whole\ |full\ )?(?:day|week|night|weekend|fortnight|month) | over\ (?:the|a)\ (?:weekend|night|week|holidays?|break)
                | (?:for|after|wait|in)\ (?:about\ |another\ |at\ least\ )?(?:24|36|48|72|96|twenty-four|forty-eight)\ ?(?:hours?|hrs?|h)
                | {COUNT}\ (?:days?|weeks?|nights?)\ (?:later|from\ now|pass(?:es)?|have\ passed|go(?:es)?\ by|afterwards?|on)
                | in\ {COUNT}\ (?:days?|weeks?)(?:(?:'|’)\ time)?,? \ (?:count|measure|weigh|check|look|return|come|we|you|they|see|compare|open|take)
                | (?:the\ )?(?:next|following)\ (?:day|morning|lesson|session|class(?:\ period)?|week|{WEEKDAY})
                | (?:again|a\ (?:second|third)\ time)\ (?:on\ {WEEKDAY}|next\ (?:week|month|term)|in\ (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter))
                | tomorrow | (?:every|each)\ (?:day|morning)\ (?:for|until|at|this|that|over) | (?:once|twice)\ a\ (?:day|week) | on\ (?:day|the)\ (?:two|three|2|3|4|5|6|7|8|9|10|14|second\ day|third\ day|fourth\ day|fifth\ day|seventh\ day) | day\ (?:two|three|four|five|seven|[2-9])
                | (?:water|check|count|measur|record|weigh|observ|look\ at|photograph|draw|feed|turn|mist|inspect|sketch|not)\w*\ (?:[\w'-]+\ ){{0,5}}(?:daily|every\ (?:other\ |second\ |single\ )?(?:day|morning)|each\ (?:day|morning)) )\b"
        ))?,
        later: read(format!(
            r"\b(?: (?:next|following|coming|successive)\ (?:[\w-]+\ )?(?:month|term|evening|night|afternoon|morning|day|week|weekend|lesson|session|class|period|meeting|practical|{WEEKDAY})
                | the\ (?:evening|night|morning|afternoon|day)\ after(?:\ (?:that|next|tomorrow))? | day\ after\ tomorrow
                | {COUNT}\ (?:full\ |more\ |school\ )?(?:mornings|evenings|nights|afternoons|days|weeks|months|week|day|fortnight|{WEEKDAY})\ (?:later|on|after|afterwards|from\ (?:now|today|this|then)|hence|along)
                | each\ of\ the\ (?:next|following|coming)\ {COUNT}\ (?:days|weeks|mornings)
                | (?:when|as\ soon\ as|once)\ (?:we|you|they|the\ class)\ (?:all\ )?(?:meet|see\ each\ other|get\ together|are\ (?:back|here)|come\ together|come\ back|return)\ (?:[\w-]+\ ){{0,3}}(?:again|next|{WEEKDAY}|tomorrow)
                | (?:at|over|after)\ the\ (?:weekend|holidays?) | (?:this|on)\ {WEEKDAY}\ (?:morning|afternoon|evening|night) | next\ time\ (?:we|you)\ (?:meet|come|are)
                | after\ the\ next\ (?:[\w-]+\ )?(?:rain\w*|storm|shower|thunderstorm|frost|thaw|snow\w*|flood|heatwave|dry\ spell)
                | (?:come|comes|go|goes|return|returns|walk|travel)\ (?:back\ )?(?:[\w'-]+\ ){{0,4}}(?:in\ (?:the\ |early\ |late\ )?(?:spring|summer|autumn|winter|january|february|march|april|june|july|august|september|october|november|december)|on\ another\ day|at\ a\ later\ date|on\ a\ (?:second|different|later)\ day) )\b"
        ))?,
        outside: read(
            r"\b(?:the\ (?:day|night|lesson|week|evening|morning|weekend)\ before|(?:days?|weeks?|nights?)\ (?:ago|earlier|before\ (?:the\ )?(?:class|lesson|school|use))|(?:has|have|had)\ (?:\w+\ )?(?:kept|left|stored|grown|stood|soaked|frozen|prepared|put|set|dried)|beforehand|in\ advance|last\ (?:night|week|lesson|time|year|month)|yesterday|already|previous\w*|earlier|was|were|had|have\ been|has\ been|nothing|no|not|never|without|\w+n(?:'|’)t|homework|at\ home|soaked|would|could|teacher(?:\ \w+)?\ (?:stores|keeps|locks|puts|takes|throws|checks)|next\ (?:class|group)\ (?:finds|uses|needs|can|will)|bring\ (?:[\w']+\ ){0,3}(?:sheets?|slips?|forms?|homework|notebooks?|books?|coats?|shoes|hats?|lunch|money|jars?|bottles?|one|some|something|anything|back|in|from\ home)|ready\ for|due|hand\ in|who|whose|stood|grew|sat|lay\ (?:in|on|there|under|at|for|out)|froze|pre-\w+)\b".to_owned(),
        )?,
        still: read(
            r"\b(?:until|till)\ (?:\w+\ ){1,5}(?:has|have)\ \w+|\b(?:not|never|without|\w+n(?:'|’)t|no)\ (?:to\ )?(?:be(?:ing)?\ )?(?:touch|mov|disturb|open|shak|stir|water|lift|feed|fed|handl|pok|bump|peek|look|interrupt|knock|tilt|tip|uncover|draught|sun|light|food)\w*".to_owned(),
        )?,
        hazard: read(
            r"\b(?:on|plugged|running|electric\w*|hot|lit|burning|switched|unattended|food|open|uncovered|unlabel\w*|wet|hood|live|cages?)\b".to_owned(),
        )?,
        elsewhere: read(
            r"\b(?:imagine|suppose|extension|optional(?:ly)?|lives?|lifespan|orbits?|revolves?|migrates?|typically|(?:row|column|table|chart)s?\ for|predict\w*|think|discuss|talk|earth|moon|tell|read\ about|data\ from|ask|what\ (?:would|will|might|could)|homework|at\ home|if|time-lapse|video|photos?|pictures?\ (?:of|from)|graph\ shows|table\ shows|explain|next\ (?:lesson|class|week|session|day)(?:'s|’s)?\ (?:we|you|they|students|pupils|is|will|topic|lesson|learn|look))\b".to_owned(),
        )?,
    })
});
