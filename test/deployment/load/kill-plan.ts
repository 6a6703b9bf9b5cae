/** Messages of a killed function of the sample come back only after a minute: a short run kills none. */
const shareOfSample = 1 / 4;

/** Tells whether a process of a function may be killed, by the kills so far. */
export type MayKill = (functionName: string, killsByFunction: ReadonlyMap<string, number>) => boolean;

const isOfSample = (functionName: string) => functionName.startsWith('OrderFulfilment');
/** The relays and CDK's own functions have no queue that would deliver anew what they had. */
const isEndpoint = (functionName: string) => !/Relay|Custom/.test(functionName);

export function killPlan(kills: number): MayKill {
  const ofSample = Math.floor(kills * shareOfSample);
  return (functionName, killsByFunction) => {
    if (!isOfSample(functionName)) return isEndpoint(functionName);
    const soFar = [...killsByFunction].filter(([name]) => isOfSample(name)).map(([, count]) => count);
    return soFar.reduce((sum, count) => sum + count, 0) < ofSample;
  };
}
