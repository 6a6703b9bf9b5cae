import { messageLifetimeSeconds } from '../../kernel/message-lifetime.ts';
import type { Rule } from '../endpoint/endpoint-facts.ts';
import type { SendingFacts } from '../endpoint/sending-facts.ts';

/** Of what stands in the bucket for messages that an endpoint receives. */
export const claimRetentionRules: readonly Rule[] = [
  function claimsOutlastTheirMessages({
    claimCheckRetentionSeconds,
    retentionSeconds,
    deadLetterRetentionSeconds,
  }) {
    if (claimCheckRetentionSeconds === undefined) return undefined;
    if (retentionSeconds === undefined || deadLetterRetentionSeconds === undefined) return undefined;
    const required = messageLifetimeSeconds(retentionSeconds, deadLetterRetentionSeconds);
    if (claimCheckRetentionSeconds >= required) return undefined;
    return (
      `claimCheck: the bucket keeps bodies for ${claimCheckRetentionSeconds} s, but a message lives up to ${retentionSeconds} s ` +
      `in the queue, ${deadLetterRetentionSeconds} s in the error queue and ${retentionSeconds} s in the queue again once it ` +
      'is moved back, and could not be handled without its body. ' +
      `Keep them for at least ${required} s, by the retention or the lifecycle rules of the bucket.`
    );
  },

  function claimsLastAsLongAsMessagesMayComeBack({ claimCheckRetentionSeconds, deduplicationSeconds }) {
    if (claimCheckRetentionSeconds === undefined || deduplicationSeconds === undefined) return undefined;
    if (claimCheckRetentionSeconds >= deduplicationSeconds) return undefined;
    return (
      `claimCheck: the bucket keeps bodies for ${claimCheckRetentionSeconds} s, but a message may be sent back to the queue ` +
      `for the ${deduplicationSeconds} s of deduplicationPeriod. ` +
      `Keep them for at least ${deduplicationSeconds} s, by the retention or the lifecycle rules of the bucket.`
    );
  },
];

/** Of what an endpoint sends, and how. */
export const sendingRules: readonly Rule<SendingFacts>[] = [
  function receiversCanReadClaims({ receiversWithoutClaims }) {
    if (receiversWithoutClaims.length === 0) return undefined;
    return (
      `claimCheck: ${receiversWithoutClaims.join(', ')} receives messages of this endpoint, but does not use its bucket, ` +
      'so that it could not read large bodies. Give all of them the same claimCheck.'
    );
  },

  function waysOutAreInTheRegion({ waysOutElsewhere }) {
    return Object.entries(waysOutElsewhere).map(
      ([setting, paths]) =>
        `${setting}: ${paths.join(', ')} is in another region than the function, which calls the services of its own. ` +
        'Use one of the same region.',
    );
  },
];
