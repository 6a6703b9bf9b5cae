import { type SendOnlyFacts, sendOnlyRules } from '../../../lib/constructs/send-only/send-only-rules.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';

/** All of them at their boundaries. */
const facts: SendOnlyFacts = {
  endpointName: 'shop-api',
  namesakes: [],
  claimCheckRetentionSeconds: 864_000,
  receiversWithoutClaims: [],
  waysOutElsewhere: {},
  deduplicationSeconds: 604_800,
  isRelayed: true,
  sharedFunctions: [],
};

/** By rule: what is sound at another boundary, and what is wrong by the least that can be. */
const cases: Record<string, RuleCases<SendOnlyFacts>> = {
  endpointNameFitsTheKeys: { sound: [{ endpointName: undefined }], wrong: [{ endpointName: 'shop#api' }] },
  endpointNameIsUniqueInItsOutbox: { wrong: [{ namesakes: ['Test/Other'] }] },
  receiversCanReadClaims: { wrong: [{ receiversWithoutClaims: ['Test/Orders'] }] },
  waysOutAreInTheRegion: { wrong: [{ waysOutElsewhere: { sendsTo: ['Test/Far'] } }] },
  recordsAreRelayed: { wrong: [{ isRelayed: false }] },
  functionsServeOneEndpoint: {
    wrong: [{ sharedFunctions: [{ path: 'Test/Own', endpoints: ['Test/Orders'] }] }],
  },
  storedBodiesOutlastTheirRecords: {
    sound: [
      { claimCheckRetentionSeconds: undefined, deduplicationSeconds: 604_801 },
      { deduplicationSeconds: undefined },
    ],
    wrong: [{ claimCheckRetentionSeconds: 863_999 }],
  },
};

describeRules('the rules of an endpoint that only sends', sendOnlyRules, facts, cases);
