import { describe, expect, it } from '@jest/globals';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Architecture, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { ClaimCheckBucket, MessageEndpoint, type MessageEndpointProps } from 'sagabox/constructs';
import type { EndpointFacts } from '../../../lib/constructs/endpoint/endpoint-facts.ts';
import { endpointRules } from '../../../lib/constructs/endpoint/endpoint-rules.ts';
import type { EndpointSettings } from '../../../lib/constructs/endpoint/message-endpoint-props.ts';
import { settingRules } from '../../../lib/constructs/endpoint/setting-rules.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';
import { inlineFunction, unbundledStack, violationsOf } from '../support.ts';
import { entry } from './bundled-endpoint.ts';

type Settings = EndpointSettings | ((stack: Stack) => EndpointSettings);

const { seconds, days, hours, minutes } = Duration;
const fifo = true;
const perGroup = FifoThroughputLimit.PER_MESSAGE_GROUP_ID;
const window = { maxBatchingWindow: seconds(1) };
const name = (length: number) => 'q'.repeat(length);
const long = { functionTimeout: seconds(900), visibilityTimeout: hours(12) };

/** A queue with a dead letter queue, and what is set for the endpoint beside it. */
const given =
  (settings: EndpointSettings = {}, hasDeadLetters = true) =>
  (stack: Stack): EndpointSettings => {
    const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 };
    const props = hasDeadLetters ? { deadLetterQueue } : {};
    return { ...settings, queue: new Queue(stack, 'Given', { visibilityTimeout: minutes(3), ...props }) };
  };

/** An imported queue, of which the endpoint may be told. */
const imported =
  (settings: EndpointSettings, deadLetters?: string) =>
  (stack: Stack, id = 'Given'): EndpointSettings => ({
    ...settings,
    ...(deadLetters === undefined ? {} : { deadLetterQueue: new Queue(stack, deadLetters) }),
    queue: Queue.fromQueueArn(stack, id, 'arn:aws:sqs:eu-west-1:111111111111:given'),
  });

/** What is given, with an error queue that may be one of it. */
const withErrors =
  (
    settingsOf: (stack: Stack) => EndpointSettings,
    errorsOf: (settings: EndpointSettings, stack: Stack) => IQueue | undefined,
  ) =>
  (stack: Stack): EndpointSettings => {
    const settings = settingsOf(stack);
    return { ...settings, errorQueue: errorsOf(settings, stack) as IQueue };
  };

const errorQueue =
  (ofQueue: boolean, ofEndpoint: boolean) =>
  (stack: Stack): EndpointSettings => ({
    fifo: ofEndpoint,
    errorQueue: new Queue(stack, 'Errors', ofQueue ? { fifo } : {}),
  });

const threshold = (thresholdBytes: number) => (stack: Stack) => ({
  claimCheck: { bucket: new ClaimCheckBucket(stack, 'Bodies'), thresholdBytes },
});

/** Of an endpoint with a function of the app, and no entry unless it is given here. */
const ofFunction =
  (settings: EndpointSettings) =>
  (stack: Stack): EndpointSettings =>
    ({ entry: undefined, ...settings, function: inlineFunction(stack, 'Own') }) as never;

/** By rule: the last values on the sound side, and the first beyond each boundary. */
const settingCases: Record<string, { sound: Settings[]; wrong: Settings[] }> = {
  ...Object.fromEntries(
    Object.entries<EndpointSettings>({
      entry: { entry },
      functionTimeout: { functionTimeout: seconds(30) },
      memorySizeMb: { memorySizeMb: 512 },
      architecture: { architecture: Architecture.ARM_64 },
      bundling: { bundling: {} },
      recursiveLoop: { recursiveLoop: RecursiveLoop.ALLOW },
      functionProps: { functionProps: {} },
      logRetention: { logRetention: 7 },
      aliasName: { aliasName: 'live' },
    }).map(([setting, settings]) => [
      `${setting}IsOfAFunctionThatIsMade`,
      { sound: [settings, ofFunction({})], wrong: [ofFunction(settings)] },
    ]),
  ),
  endpointNameIsNotEmpty: { sound: [{ endpointName: 'o' }, {}], wrong: [{ endpointName: '' }] },
  queueNameIsOne: {
    sound: [{ queueName: name(67) }, { queueName: `${name(62)}.fifo`, fifo }],
    wrong: [{ queueName: name(68) }, { queueName: name(63), fifo }, { queueName: 'a.fifo' }],
  },
  queueHasADeadLetterQueue: { sound: [given()], wrong: [given({}, false)] },
  deadLetterQueueIsThatOfAnImportedQueue: {
    sound: [imported({}, 'dead'), imported({})],
    wrong: [
      (stack) => ({ ...given()(stack), deadLetterQueue: new Queue(stack, 'Other') }),
      (stack) => ({ deadLetterQueue: new Queue(stack, 'Other') }),
    ],
  },
  errorQueueIsAnotherQueue: {
    sound: [withErrors(given(), (_given, stack) => new Queue(stack, 'Errors'))],
    wrong: [
      withErrors(given(), ({ queue }) => queue),
      withErrors(given(), ({ queue }) => (queue as Queue).deadLetterQueue?.queue),
      withErrors(imported({}, 'dead'), ({ deadLetterQueue }) => deadLetterQueue),
      withErrors(imported({}), (_given, stack) => imported({})(stack, 'Again').queue),
    ],
  },
  queueNameIsThatOfTheQueue: { sound: [given()], wrong: [given({ queueName: 'orders' })] },
  fifoIsThatOfTheQueue: { sound: [given()], wrong: [given({ fifo: false })] },
  fifoThroughputLimitIsThatOfTheQueue: {
    sound: [given()],
    wrong: [given({ fifoThroughputLimit: FifoThroughputLimit.PER_QUEUE })],
  },
  deduplicationScopeIsThatOfTheQueue: {
    sound: [given()],
    wrong: [given({ deduplicationScope: DeduplicationScope.QUEUE })],
  },
  visibilityTimeoutIsThatOfTheQueue: {
    sound: [imported({ visibilityTimeout: minutes(3) })],
    wrong: [given({ visibilityTimeout: minutes(3) })],
  },
  retentionIsThatOfTheQueue: {
    sound: [imported({ retention: days(4) })],
    wrong: [given({ retention: days(4) })],
  },
  maxReceiveCountIsThatOfTheQueue: {
    sound: [imported({ maxReceiveCount: 5 })],
    wrong: [given({ maxReceiveCount: 5 })],
  },
  deadLetterRetentionIsThatOfTheDeadLetterQueue: {
    sound: [given({ deadLetterRetention: days(4) }), imported({ deadLetterRetention: days(5) })],
    wrong: [
      given({ deadLetterRetention: Duration.millis(days(4).toMilliseconds() + 1) }),
      given({ deadLetterRetention: days(14) }),
      imported({ deadLetterRetention: days(5) }, 'dead'),
    ],
  },
  batchSizeIsInRange: {
    sound: [{ batchSize: 1 }, { batchSize: 10_000, ...window }],
    wrong: [{ batchSize: 0 }, { batchSize: 1.5 }, { batchSize: 10_001, ...window }],
  },
  maxConcurrencyIsInRange: {
    sound: [{ maxConcurrency: 2 }, { maxConcurrency: 1000 }],
    wrong: [{ maxConcurrency: 1 }, { maxConcurrency: 1001 }],
  },
  maxReceiveCountIsInRange: {
    sound: [{ maxReceiveCount: 1 }, { maxReceiveCount: 1000 }],
    wrong: [{ maxReceiveCount: 0 }, { maxReceiveCount: 2.5 }, { maxReceiveCount: 1001 }],
  },
  memorySizeMbIsInRange: {
    sound: [{ memorySizeMb: 128 }, { memorySizeMb: 10_240 }],
    wrong: [{ memorySizeMb: 127 }, { memorySizeMb: 10_241 }],
  },
  functionTimeoutIsInRange: {
    sound: [{ functionTimeout: seconds(1) }, { functionTimeout: seconds(900) }],
    wrong: [{ functionTimeout: seconds(0) }, { ...long, functionTimeout: seconds(901) }],
  },
  visibilityTimeoutIsInRange: {
    sound: [{ visibilityTimeout: hours(12) }],
    wrong: [{ visibilityTimeout: seconds(43_201) }, { visibilityTimeout: Duration.millis(200_500) }],
  },
  retentionIsInRange: {
    sound: [{ retention: seconds(60) }, { retention: days(14), deadLetterRetention: days(14) }],
    wrong: [{ retention: seconds(59) }, { retention: seconds(1_209_601) }],
  },
  deadLetterRetentionIsInRange: {
    sound: [{ retention: seconds(60), deadLetterRetention: seconds(60) }, { deadLetterRetention: days(14) }],
    wrong: [{ deadLetterRetention: seconds(59) }, { deadLetterRetention: seconds(1_209_601) }],
  },
  deduplicationPeriodIsInRange: {
    sound: [{ deduplicationPeriod: seconds(1) }],
    wrong: [{ deduplicationPeriod: seconds(0) }],
  },
  maxBatchingWindowIsInRange: {
    sound: [{ maxBatchingWindow: seconds(0) }, { maxBatchingWindow: seconds(300) }],
    wrong: [{ maxBatchingWindow: seconds(301) }],
  },
  largeBatchesAreForStandardQueues: {
    sound: [{ batchSize: 10, fifo }],
    wrong: [{ batchSize: 11, fifo }],
  },
  windowsAreForStandardQueues: { sound: [{ ...window }], wrong: [{ ...window, fifo }] },
  largeBatchesNeedAWindow: {
    sound: [{ batchSize: 10 }, { batchSize: 11, ...window }],
    wrong: [{ batchSize: 11 }, { batchSize: 11, maxBatchingWindow: seconds(0) }],
  },
  throughputLimitIsForFifoQueues: {
    sound: [{ fifoThroughputLimit: perGroup, fifo }],
    wrong: [{ fifoThroughputLimit: perGroup }],
  },
  deduplicationScopeIsForFifoQueues: {
    sound: [{ deduplicationScope: DeduplicationScope.QUEUE, fifo }],
    wrong: [{ deduplicationScope: DeduplicationScope.QUEUE }],
  },
  throughputPerGroupNeedsDeduplicationPerGroup: {
    sound: [{ fifoThroughputLimit: perGroup, deduplicationScope: DeduplicationScope.MESSAGE_GROUP, fifo }],
    wrong: [{ fifoThroughputLimit: perGroup, deduplicationScope: DeduplicationScope.QUEUE, fifo }],
  },
  errorQueueIsOfTheSameKind: {
    sound: [errorQueue(true, true), errorQueue(false, false)],
    wrong: [errorQueue(false, true), errorQueue(true, false)],
  },
  claimCheckThresholdIsInRange: {
    sound: [threshold(1), threshold(1_048_576)],
    wrong: [threshold(0), threshold(1_048_577)],
  },
  functionPropsAreNotOwned: {
    sound: [{ functionProps: { description: 'Orders' } }],
    wrong: [{ functionProps: { timeout: seconds(3) } as never }],
  },
  runtimeIsOfNode: {
    sound: [{ functionProps: { runtime: Runtime.NODEJS_22_X } }],
    wrong: [Runtime.PYTHON_3_13, Runtime.NODEJS_20_X].map((runtime) => ({ functionProps: { runtime } })),
  },
  functionNameIsOne: {
    sound: [{ functionProps: { functionName: name(64) } }],
    wrong: [name(65), '', 'a.b'].map((functionName) => ({ functionProps: { functionName } })),
  },
  environmentHasUsableNames: {
    sound: [{ environment: { AWS_PROFILE: 'x', a1: 'x', A_: 'x', SAGABO: 'x' } }],
    wrong: ['AWS_REGION', 'SAGABOX_ENDPOINT', 'a', '1a', 'a b', '_AB'].map((variable) => ({
      environment: { [variable]: 'x' },
    })),
  },
};

/** What is reported of an endpoint with these settings, each beginning with the setting. */
function reportsOf(settings: Settings): string[] {
  const stack = unbundledStack();
  const props = typeof settings === 'function' ? settings(stack) : settings;
  new MessageEndpoint(stack, 'Orders', { entry, ...props } as MessageEndpointProps);
  return violationsOf(stack)
    .split('\n')
    .filter((line) => line.includes('[Test/Orders'))
    .map((line) => line.trim().replace('[Test/Orders] ', ''));
}

describe('the rules of the settings of an endpoint', () => {
  it('are all in this table', () => {
    expect(Object.keys(settingCases).toSorted()).toEqual(settingRules.map(({ name }) => name).toSorted());
  });

  it.each(settingRules.map(({ name, setting }) => [name, setting] as const))(
    '%s flips with its value, and no other does',
    (name, setting) => {
      const { sound = [], wrong = [] } = settingCases[name] ?? {};
      expect(sound.map(reportsOf)).toEqual(sound.map(() => []));
      for (const settings of wrong) {
        const remedy = expect.stringMatching(new RegExp(`^${setting}: .+\\. .+\\.$`));
        expect(reportsOf(settings)).toEqual([remedy]);
        const given = typeof settings === 'function' ? settings(unbundledStack()) : settings;
        const breaking = settingRules.filter((rule) => rule.problemOf(given) !== undefined);
        expect(breaking[0]?.name).toBe(name);
      }
    },
  );
});

it('all wrong names of variables are reported, each with its cause', () => {
  const environment = { AWS_REGION: 'x', 'a-b': 'x', 'c-d': 'x', SAGABOX_ENDPOINT: 'x' };
  expect(reportsOf({ environment })).toEqual([
    "environment: 'AWS_REGION' is set by Lambda itself, 'a-b' is no name of a variable in Lambda, " +
      "'c-d' is no name of a variable in Lambda, 'SAGABOX_ENDPOINT' would be overwritten by the endpoint. " +
      'Use another name. Use at least two letters, digits and underscores, with a letter first. ' +
      'Use names that do not begin with SAGABOX_.',
  ]);
});

const facts: EndpointFacts = {
  endpointName: 'orders',
  functionTimeoutSeconds: 900,
  visibilityTimeoutSeconds: 5410,
  maxBatchingWindowSeconds: 10,
  retentionSeconds: 100,
  deadLetterRetentionSeconds: 100,
  shortestDeadLetterRetentionSeconds: 100,
  deduplicationSeconds: 300,
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
  maxConcurrency: 2,
  reservedConcurrency: 2,
  sourcesElsewhere: [],
  busesOfOtherAccounts: [],
  claimCheckRetentionSeconds: 300,
  receiversWithoutClaims: [],
  waysOutElsewhere: {},
};

/** By rule: what is wrong by the least that can be. All facts together are sound. */
const factCases: Record<string, RuleCases<EndpointFacts>> = {
  endpointNameFitsTheKeys: { wrong: [{ endpointName: 'a#b' }] },
  endpointNameIsUniqueInItsOutbox: { wrong: [{ namesakes: ['Test/Other'] }] },
  functionServesOneEndpoint: { wrong: [{ functionSharers: ['Test/Other'] }] },
  sourcesReportFailures: { wrong: [{ sourcesWithoutFailures: ['Test/Own/SqsEventSource'] }] },
  queueHasOneConsumer: { wrong: [{ otherConsumers: ['Test/Pipe'] }] },
  messagesDoNotComeForEver: { wrong: [{ hasDeadLetterQueue: false }] },
  functionKnowsWhenAMessageComesLast: {
    wrong: [{ maxReceiveCount: 6 }, { maxReceiveCountFromEnvironment: 6 }],
  },
  keysLetSourcesSend: { wrong: [{ queuesClosedToSources: ['Test/Given'] }] },
  queueServesOneEndpoint: { wrong: [{ queueSharers: ['Test/Other'] }] },
  errorQueueIsNoQueueOfAnEndpoint: { wrong: [{ errorQueueReceivers: ['Test/Other'] }] },
  reservedConcurrencyCoversMaxConcurrency: { wrong: [{ reservedConcurrency: 1 }] },
  functionEndsInTime: { wrong: [{ functionTimeoutSeconds: 901, visibilityTimeoutSeconds: 5416 }] },
  visibilityOutlastsTheFunction: { wrong: [{ visibilityTimeoutSeconds: 5409 }] },
  handledMessagesAreRememberedLongEnough: { wrong: [{ deduplicationSeconds: 299 }] },
  deadLettersOutlastTheQueue: { wrong: [{ shortestDeadLetterRetentionSeconds: 99 }] },
  busesAreInTheAccount: { wrong: [{ busesOfOtherAccounts: ['Test/Bus'] }] },
  sourcesAreInTheRegion: { wrong: [{ sourcesElsewhere: ['Test/Topic'] }] },
  claimsOutlastTheirMessages: {
    wrong: [{ claimCheckRetentionSeconds: 299, deduplicationSeconds: undefined }],
  },
  claimsLastAsLongAsMessagesMayComeBack: { wrong: [{ deduplicationSeconds: 301 }] },
  receiversCanReadClaims: { wrong: [{ receiversWithoutClaims: ['Test/Other'] }] },
  waysOutAreInTheRegion: { wrong: [{ waysOutElsewhere: { publishesTo: ['Test/Topic'] } }] },
};

describeRules('the rules of what is known of an endpoint at synth', endpointRules, facts, factCases);
