import { describe, expect, it } from '@jest/globals';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Architecture, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { ClaimCheckBucket, MessageEndpoint, type MessageEndpointProps } from 'sagabox/constructs';
import type { PropRow, PropRows } from '../../../lib/constructs/checks/prop-rows.ts';
import type { EndpointFacts } from '../../../lib/constructs/endpoint/endpoint-facts.ts';
import { endpointRows } from '../../../lib/constructs/endpoint/endpoint-rows.ts';
import type { EndpointSettings } from '../../../lib/constructs/endpoint/message-endpoint-props.ts';
import { settingRules } from '../../../lib/constructs/endpoint/prop-rules.ts';
import { endpointRules } from '../../../lib/constructs/endpoint/rendered-rules.ts';
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
  queueNameIsOne: {
    sound: [{ queueName: name(67) }, { queueName: `${name(62)}.fifo`, fifo }],
    wrong: [{ queueName: name(68) }, { queueName: name(63), fifo }, { queueName: 'a.fifo' }],
  },
  queueHasADeadLetterQueue: { sound: [given()], wrong: [given({}, false)] },
  errorQueueIsAnotherQueue: {
    sound: [withErrors(given(), (_given, stack) => new Queue(stack, 'Errors'))],
    wrong: [
      withErrors(given(), ({ queue }) => queue),
      withErrors(given(), ({ queue }) => (queue as Queue).deadLetterQueue?.queue),
      withErrors(imported({}, 'dead'), ({ deadLetterQueue }) => deadLetterQueue),
      withErrors(imported({}), (_given, stack) => imported({})(stack, 'Again').queue),
    ],
  },
  deadLetterRetentionIsThatOfTheDeadLetterQueue: {
    sound: [given({ deadLetterRetention: days(4) }), imported({ deadLetterRetention: days(5) })],
    wrong: [
      given({ deadLetterRetention: Duration.millis(days(4).toMilliseconds() + 1) }),
      given({ deadLetterRetention: days(14) }),
      imported({ deadLetterRetention: days(5) }, 'dead'),
    ],
  },
  largeBatchesAreForStandardQueues: {
    sound: [{ batchSize: 10, fifo }],
    wrong: [{ batchSize: 11, fifo }],
  },
  largeBatchesNeedAWindow: {
    sound: [{ batchSize: 10 }, { batchSize: 11, ...window }],
    wrong: [{ batchSize: 11 }, { batchSize: 11, maxBatchingWindow: seconds(0) }],
  },
  throughputPerGroupNeedsDeduplicationPerGroup: {
    sound: [{ fifoThroughputLimit: perGroup, deduplicationScope: DeduplicationScope.MESSAGE_GROUP, fifo }],
    wrong: [{ fifoThroughputLimit: perGroup, deduplicationScope: DeduplicationScope.QUEUE, fifo }],
  },
  errorQueueIsOfTheSameKind: {
    sound: [errorQueue(true, true), errorQueue(false, false)],
    wrong: [errorQueue(false, true), errorQueue(true, false)],
  },
};

/** By row of a prop, and its bounds or a condition. */
const rowCases: typeof settingCases = {
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
      `${setting} of functions that are made`,
      { sound: [settings, ofFunction({})], wrong: [ofFunction(settings)] },
    ]),
  ),
  'queueName of queues that are made': { sound: [given()], wrong: [given({ queueName: 'orders' })] },
  'fifo of queues that are made': { sound: [given()], wrong: [given({ fifo: false })] },
  'fifoThroughputLimit of queues that are made': {
    sound: [given()],
    wrong: [given({ fifoThroughputLimit: FifoThroughputLimit.PER_QUEUE })],
  },
  'deduplicationScope of queues that are made': {
    sound: [given()],
    wrong: [given({ deduplicationScope: DeduplicationScope.QUEUE })],
  },
  'visibilityTimeout of queues that are made or imported': {
    sound: [imported({ visibilityTimeout: minutes(3) })],
    wrong: [given({ visibilityTimeout: minutes(3) })],
  },
  'retention of queues that are made or imported': {
    sound: [imported({ retention: days(4) })],
    wrong: [given({ retention: days(4) })],
  },
  'maxReceiveCount of queues that are made or imported': {
    sound: [imported({ maxReceiveCount: 5 })],
    wrong: [given({ maxReceiveCount: 5 })],
  },
  'deadLetterQueue of imported queues': {
    sound: [imported({}, 'dead'), imported({})],
    wrong: [
      (stack) => ({ ...given()(stack), deadLetterQueue: new Queue(stack, 'Other') }),
      (stack) => ({ deadLetterQueue: new Queue(stack, 'Other') }),
    ],
  },
  'maxBatchingWindow of standard queues': { sound: [{ ...window }], wrong: [{ ...window, fifo }] },
  'fifoThroughputLimit of FIFO queues': {
    sound: [{ fifoThroughputLimit: perGroup, fifo }],
    wrong: [{ fifoThroughputLimit: perGroup }],
  },
  'deduplicationScope of FIFO queues': {
    sound: [{ deduplicationScope: DeduplicationScope.QUEUE, fifo }],
    wrong: [{ deduplicationScope: DeduplicationScope.QUEUE }],
  },
  'batchSize in bounds': {
    sound: [{ batchSize: 1 }, { batchSize: 10_000, ...window }],
    wrong: [{ batchSize: 0 }, { batchSize: 1.5 }, { batchSize: 10_001, ...window }],
  },
  'maxConcurrency in bounds': {
    sound: [{ maxConcurrency: 2 }, { maxConcurrency: 1000 }],
    wrong: [{ maxConcurrency: 1 }, { maxConcurrency: 1001 }],
  },
  'maxReceiveCount in bounds': {
    sound: [{ maxReceiveCount: 1 }, { maxReceiveCount: 1000 }],
    wrong: [{ maxReceiveCount: 0 }, { maxReceiveCount: 2.5 }, { maxReceiveCount: 1001 }],
  },
  'memorySizeMb in bounds': {
    sound: [{ memorySizeMb: 128 }, { memorySizeMb: 10_240 }],
    wrong: [{ memorySizeMb: 127 }, { memorySizeMb: 10_241 }],
  },
  'functionTimeout in bounds': {
    sound: [{ functionTimeout: seconds(1) }, { functionTimeout: seconds(900) }],
    wrong: [{ functionTimeout: seconds(0) }, { ...long, functionTimeout: seconds(901) }],
  },
  'visibilityTimeout in bounds': {
    sound: [{ visibilityTimeout: hours(12) }],
    wrong: [{ visibilityTimeout: seconds(43_201) }, { visibilityTimeout: Duration.millis(200_500) }],
  },
  'retention in bounds': {
    sound: [{ retention: seconds(60) }, { retention: days(14), deadLetterRetention: days(14) }],
    wrong: [{ retention: seconds(59) }, { retention: seconds(1_209_601) }],
  },
  'deadLetterRetention in bounds': {
    sound: [{ retention: seconds(60), deadLetterRetention: seconds(60) }, { deadLetterRetention: days(14) }],
    wrong: [{ deadLetterRetention: seconds(59) }, { deadLetterRetention: seconds(1_209_601) }],
  },
  'deduplicationPeriod in bounds': {
    sound: [{ deduplicationPeriod: seconds(1) }],
    wrong: [{ deduplicationPeriod: seconds(0) }],
  },
  'maxBatchingWindow in bounds': {
    sound: [{ maxBatchingWindow: seconds(0) }, { maxBatchingWindow: seconds(300) }],
    wrong: [{ maxBatchingWindow: seconds(301) }],
  },
};

/** By the place of what is wrong in a prop itself. */
const kindCases: typeof settingCases = {
  endpointName: { sound: [{ endpointName: 'o' }, {}], wrong: [{ endpointName: '' }] },
  'claimCheck.thresholdBytes': {
    sound: [threshold(1), threshold(1_048_576)],
    wrong: [threshold(0), threshold(1_048_577)],
  },
  'functionProps.timeout': {
    sound: [{ functionProps: { description: 'Orders' } }],
    wrong: [{ functionProps: { timeout: seconds(3) } as never }],
  },
  'functionProps.runtime': {
    sound: [{ functionProps: { runtime: Runtime.NODEJS_22_X } }],
    wrong: [Runtime.PYTHON_3_13, Runtime.NODEJS_20_X].map((runtime) => ({ functionProps: { runtime } })),
  },
  'functionProps.functionName': {
    sound: [{ functionProps: { functionName: name(64) } }],
    wrong: [name(65), '', 'a.b'].map((functionName) => ({ functionProps: { functionName } })),
  },
  'environment.': {
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

function expectReports(at: string, { sound, wrong }: { sound: Settings[]; wrong: Settings[] }): void {
  const report = expect.stringMatching(new RegExp(`^${at.replaceAll('.', '\\.')}.*: .+\\. .+\\.$`));
  expect(sound.map(reportsOf)).toEqual(sound.map(() => []));
  expect(wrong.map(reportsOf)).toEqual(wrong.map(() => [report]));
}

describe('the rules of the settings of an endpoint', () => {
  it('are all in this table', () => {
    expect(Object.keys(settingCases).toSorted()).toEqual(settingRules.map(({ name }) => name).toSorted());
  });

  it.each(settingRules.map(({ name, setting }) => [name, setting] as const))(
    '%s flips with its value, and no other does',
    (name, setting) => {
      const cases = settingCases[name] ?? { sound: [], wrong: [] };
      expectReports(setting, cases);
      for (const settings of cases.wrong) {
        const given = typeof settings === 'function' ? settings(unbundledStack()) : settings;
        const breaking = settingRules.filter((rule) => rule.problemOf(given) !== undefined);
        expect(breaking[0]?.name).toBe(name);
      }
    },
  );
});

describe('the rows of the props of an endpoint', () => {
  const rows: PropRows<EndpointSettings> = endpointRows;
  const demanded = Object.entries<PropRow<EndpointSettings>>(rows).flatMap(
    ([prop, { bounds, only = [] }]) => [
      ...(bounds === undefined ? [] : [`${prop} in bounds`]),
      ...only.map((condition) => `${prop} ${condition.name}`),
    ],
  );

  it('have a case here for each of their bounds and conditions', () => {
    expect(Object.keys(rowCases).toSorted()).toEqual(demanded.toSorted());
  });

  it.each(Object.entries(rowCases))('%s flips with its value, and no other does', (row, cases) => {
    expectReports(row.slice(0, row.indexOf(' ')), cases);
  });

  it.each(Object.entries(kindCases))('%s flips with its value, and no other does', expectReports);
});

it('all wrong names of variables are reported, each with its cause', () => {
  const environment = { AWS_REGION: 'x', 'a-b': 'x', SAGABOX_ENDPOINT: 'x' };
  expect(reportsOf({ environment })).toEqual([
    'environment.AWS_REGION: it is set by Lambda itself. Use another name.',
    'environment.a-b: it is no name of a variable in Lambda. Use at least two letters, digits and underscores, ' +
      'with a letter first.',
    'environment.SAGABOX_ENDPOINT: it would be overwritten by the endpoint. Use names that do not begin with SAGABOX_.',
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
