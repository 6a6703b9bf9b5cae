/** Messages of a killed function of the sample come back only after a minute: a short run kills none. */
const shareOfSample = 1 / 4;
/** They run sessions, for requests by HTTP. */
const shareOfSessions = 1 / 3;

/** A shorter run kills no watcher. */
const killsWithWatcher = 3;

/** Tells whether a process of a function may be killed, by the kills so far. */
export type MayKill = (functionName: string, killsByFunction: ReadonlyMap<string, number>) => boolean;

const isOfSessions = (functionName: string) => functionName.includes('PlaceOrder');
const isOfSample = (functionName: string) => functionName.startsWith('OrderFulfilment');
/** Its batch of changes comes again. */
const isWatcher = (functionName: string) => functionName.includes('Watcher');
/** The relays and CDK's own functions have nothing that would deliver anew what they had. */
const isEndpoint = (functionName: string) => !/Relay|Custom/.test(functionName);

export function killPlan(kills: number): MayKill {
  const ofSample = Math.floor(kills * shareOfSample);
  const ofSessions = Math.ceil(kills * shareOfSessions);
  const ofWatchers = kills >= killsWithWatcher ? 1 : 0;
  return (functionName, killsByFunction) => {
    const killsOf = (isOfThese: (name: string) => boolean) =>
      [...killsByFunction].reduce((sum, [name, count]) => sum + (isOfThese(name) ? count : 0), 0);
    if (isOfSessions(functionName)) return killsOf(isOfSessions) < ofSessions;
    // Those work only while orders are placed: the first kill waits for one of them.
    if (killsOf(isOfSessions) === 0) return false;
    if (isWatcher(functionName)) return !isOfSample(functionName) && killsOf(isWatcher) < ofWatchers;
    if (killsOf(() => true) - killsOf(isWatcher) >= kills - ofWatchers) return false;
    return isOfSample(functionName) ? killsOf(isOfSample) < ofSample : isEndpoint(functionName);
  };
}
