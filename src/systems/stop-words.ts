/** English words that say little of what a text is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also always am an and another any anything are aren as at away back be because been ' +
    'before being below between both but by came can cannot come could couldn d did didn do does doesn doing don done ' +
    'down during each either else enough ever every everything few first for from further gave get gets getting give ' +
    'given go goes going gone good got had hadn has hasn have haven having he hello her here hers herself hi him himself ' +
    'his how however i if in instead into is isn it its itself just keep know last least left let like ll long look m ' +
    'made make many may maybe me might mine more most much must my myself need needs never new next no none nor not ' +
    'nothing now of off ok okay on once one only or other our ours out over own per please put quite rather re really ' +
    'right s said same say says see seem seems shall she should shouldn since so some someone something soon still such ' +
    'sure t take taken tell than thank thanks that the their theirs them themselves then there these they thing things ' +
    'think this those though through till to today together too took two under until up upon us use used using ve very ' +
    'want wants was wasn way we well went were weren what whatever when where whether which while who whom whose why ' +
    'will with within without won would wouldn yes yet you your yours yourself'
  ).split(' '),
);
