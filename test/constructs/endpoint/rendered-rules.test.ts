import { describe, expect, it } from '@jest/globals';
import type { EndpointFacts } from '../../../lib/constructs/endpoint/endpoint-facts.ts';
import { endpointViolations } from '../../../lib/constructs/endpoint/rendered-rules.ts';

const sound: EndpointFacts = {
  endpointName: 'orders',
  functionTimeoutSeconds: 30,
  visibilityTimeoutSeconds: 180,
  retentionSeconds: 345_600,
  deadLetterRetentionSeconds: 604_800,
  shortestDeadLetterRetentionSeconds: 604_800,
  deduplicationSeconds: 1_296_000,
  maxBatchingWindowSeconds: undefined,
  namesakes: [],
  functionSharers: [],
  sourcesWithoutFailures: [],
  otherConsumers: [],
  transformingRules: [],
  hasDeadLetterQueue: true,
  maxReceiveCount: 5,
  maxReceiveCountFromEnvironment: 5,
  queuesClosedToSources: [],
  queueSharers: [],
  errorQueueReceivers: [],
  maxConcurrency: undefined,
  reservedConcurrency: undefined,
  sourcesElsewhere: [],
  busesOfOtherAccounts: [],
  claimCheckRetentionSeconds: undefined,
  receiversWithoutClaims: [],
  waysOutElsewhere: {},
};

describe('the rules of an endpoint', () => {
  it('find nothing wrong with a sound endpoint', () => {
    expect(endpointViolations(sound)).toEqual([]);
  });

  it.each<[Partial<EndpointFacts>, RegExp | undefined]>([
    [{ endpointName: 'orders.v2 (EU)' }, undefined],
    [{ endpointName: 'orders#2' }, /^endpointName: "orders#2" cannot .* without '#'/],
    [{ endpointName: 'é'.repeat(256) }, undefined],
    [{ endpointName: `${'é'.repeat(256)}e` }, /^endpointName: .* 1 to 512 bytes/],
    [{ functionTimeoutSeconds: 900, visibilityTimeoutSeconds: 5400 }, undefined],
    [
      { functionTimeoutSeconds: 901, visibilityTimeoutSeconds: 5406 },
      /^functionTimeout: 901 s .* at most 900 s\.$/,
    ],
    [{ visibilityTimeoutSeconds: 179 }, /^visibilityTimeout: 179 s is less than 6 times .* at least 180 s/],
    [{ visibilityTimeoutSeconds: 181 }, undefined],
    [{ visibilityTimeoutSeconds: 190, maxBatchingWindowSeconds: 10 }, undefined],
    [
      { visibilityTimeoutSeconds: 189, maxBatchingWindowSeconds: 10 },
      /^visibilityTimeout: 189 s is less .* and the maxBatchingWindow of 10 s, .* at least 190 s/,
    ],
    [
      { deduplicationSeconds: 1_295_999 },
      /^deduplicationPeriod: .* 1295999 s, .* 345600 s in .* 604800 s in .* again\. Use at least 1296000 s, or/,
    ],
    [{ retentionSeconds: 345_601 }, /^deduplicationPeriod: .* at least 1296002 s/],
    [{ deadLetterRetentionSeconds: 604_801 }, /^deduplicationPeriod: .* at least 1296001 s/],
    [{ deduplicationSeconds: 1, retentionSeconds: undefined }, undefined],
    [{ deduplicationSeconds: 1, deadLetterRetentionSeconds: undefined }, undefined],
    [
      {
        retentionSeconds: 604_801,
        deadLetterRetentionSeconds: 604_801,
        shortestDeadLetterRetentionSeconds: 604_801,
        deduplicationSeconds: undefined,
      },
      undefined,
    ],
    [{ retentionSeconds: 100, deadLetterRetentionSeconds: 100 }, undefined],
    [
      { retentionSeconds: 100, shortestDeadLetterRetentionSeconds: 99 },
      /^deadLetterRetention: 99 s .* its own retentionPeriod counts\. Use at least 100 s\.$/,
    ],
    [
      { namesakes: ['App/Other'] },
      /^endpointName: 'orders' is also the name of App\/Other, .* name of its own\.$/,
    ],
    [{ functionSharers: ['App/Other'] }, /^function: it also serves App\/Other, .* function of its own\.$/],
    [
      { errorQueueReceivers: ['App/Other'] },
      /^errorQueue: App\/Other receives from it, .* no endpoint receives from, or leave it out\.$/,
    ],
    [{ maxConcurrency: 20, reservedConcurrency: 20 }, undefined],
    [
      { maxConcurrency: 21, reservedConcurrency: 20 },
      /^maxConcurrency: 21 is more than .* function, 20, .* Reserve at least 21, or lower maxConcurrency\.$/,
    ],
    [{ maxConcurrency: undefined, reservedConcurrency: 20 }, undefined],
    [
      { sourcesElsewhere: ['App/Topic'] },
      /^subscribesTo: App\/Topic is in another region .* same region, and subscribe to that\.$/,
    ],
    [
      { busesOfOtherAccounts: ['App/Bus'] },
      /^subscribesTo: App\/Bus is of another account .* a bus of this account, and subscribe to that\.$/,
    ],
    [{ claimCheckRetentionSeconds: 1_296_000 }, undefined],
    [{ claimCheckRetentionSeconds: 1_296_000, deduplicationSeconds: undefined }, undefined],
    [
      { claimCheckRetentionSeconds: 1_295_999, deduplicationSeconds: undefined },
      /^claimCheck: the bucket keeps .* 1295999 s, .* moved back, .* at least 1296000 s, by the retention or/,
    ],
    [{ claimCheckRetentionSeconds: 1_296_000, retentionSeconds: undefined }, undefined],
    [{ claimCheckRetentionSeconds: 1_296_000, deadLetterRetentionSeconds: undefined }, undefined],
    [
      { claimCheckRetentionSeconds: 1_295_999, retentionSeconds: undefined },
      /^claimCheck: the bucket keeps .* 1295999 s, .* of deduplicationPeriod\. .* at least 1296000 s, by the retention or/,
    ],
    [
      { receiversWithoutClaims: ['App/Other'] },
      /^claimCheck: App\/Other receives .* could not read .* the same claimCheck\.$/,
    ],
    [
      { waysOutElsewhere: { publishesTo: ['App/Topic'] } },
      /^publishesTo: App\/Topic is in another region .* same region\.$/,
    ],
  ])('%j gives: %s', (facts, violation) => {
    const violations = endpointViolations({ ...sound, ...facts });
    expect(violations).toEqual(violation === undefined ? [] : [expect.stringMatching(violation)]);
  });

  it('do not judge what is known only at deployment', () => {
    const unknown: EndpointFacts = {
      ...sound,
      endpointName: undefined,
      functionTimeoutSeconds: undefined,
      visibilityTimeoutSeconds: undefined,
      retentionSeconds: undefined,
      deadLetterRetentionSeconds: undefined,
      shortestDeadLetterRetentionSeconds: undefined,
    };
    expect(endpointViolations(unknown)).toEqual([]);
  });

  it('report all violations at once', () => {
    const violations = endpointViolations({
      ...sound,
      endpointName: 'a#b',
      functionTimeoutSeconds: 1000,
      visibilityTimeoutSeconds: 1,
      retentionSeconds: 1_000_000,
      deadLetterRetentionSeconds: 1,
      shortestDeadLetterRetentionSeconds: 1,
      namesakes: ['x'],
      functionSharers: ['x'],
      sourcesElsewhere: ['x'],
      busesOfOtherAccounts: ['x'],
      claimCheckRetentionSeconds: 0,
      receiversWithoutClaims: ['x'],
      waysOutElsewhere: { sendsTo: ['x'], claimCheck: ['x'] },
    });
    expect(violations).toHaveLength(14);
  });
});
