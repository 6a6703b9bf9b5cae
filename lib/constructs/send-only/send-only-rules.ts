import { sendingRules } from '../destinations/sending-rules.ts';
import type { Rule } from '../endpoint/endpoint-facts.ts';
import { recordRules } from '../endpoint/record-rules.ts';
import type { SendingFacts } from '../endpoint/sending-facts.ts';

/** What the rules judge. A value that is known only at deployment is undefined, and its rules do not apply. */
export interface SendOnlyFacts extends SendingFacts {
  readonly deduplicationSeconds: number | undefined;
  /** Whether an OutboxRelay of the app relays the records, or one that is said to be elsewhere. */
  readonly isRelayed: boolean;
  /** Those of its functions that serve other endpoints too, with these. */
  readonly sharedFunctions: readonly { readonly path: string; readonly endpoints: readonly string[] }[];
}

/** Of expired records. Source: "Using time to live (TTL) in DynamoDB", which says a few days. */
const MAX_DELETION_DELAY_SECONDS = 3 * 86_400;

const ownRules: readonly Rule<SendOnlyFacts>[] = [
  function recordsAreRelayed({ isRelayed }) {
    if (isRelayed) return undefined;
    return (
      'relay: no OutboxRelay of the app has this endpoint, so that what a function left when it died after its commit ' +
      "would never be sent: nobody delivers a request again. Add the endpoint to the endpoints of an OutboxRelay, or set relay to 'elsewhere' " +
      'if its records are relayed by another app.'
    );
  },

  function functionsServeOneEndpoint({ sharedFunctions }) {
    return sharedFunctions.map(
      ({ path, endpoints }) =>
        `functions: '${path}' also serves ${endpoints.join(', ')}, but its environment names one endpoint only. ` +
        'Give each endpoint functions of its own.',
    );
  },

  function storedBodiesOutlastTheirRecords({ claimCheckRetentionSeconds, deduplicationSeconds }) {
    if (claimCheckRetentionSeconds === undefined || deduplicationSeconds === undefined) return undefined;
    const required = deduplicationSeconds + MAX_DELETION_DELAY_SECONDS;
    if (claimCheckRetentionSeconds >= required) return undefined;
    return (
      `claimCheck: the bucket keeps bodies for ${claimCheckRetentionSeconds} s, but a stored response may be asked for ` +
      `during the ${deduplicationSeconds} s of deduplicationPeriod, and until DynamoDB deletes its record. ` +
      `Keep them for at least ${required} s, by the retention or the lifecycle rules of the bucket.`
    );
  },
];

export const sendOnlyRules: readonly Rule<SendOnlyFacts>[] = [...recordRules, ...sendingRules, ...ownRules];

/** All violations at once, each with its cause and its remedy. */
export function sendOnlyViolations(facts: SendOnlyFacts): string[] {
  return sendOnlyRules.flatMap((rule) => rule(facts) ?? []);
}
