import { describe, expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import { EndpointMonitoring } from 'sagabox/constructs';
import { inlineEndpoint, unbundledStack } from '../support.ts';
import { barelyMonitored, monitored, type Widget, widgetsOf } from './support.ts';

/** The names of the metrics of each graph, by its title. */
function graphsOf(widgets: readonly Widget[]): Record<string, string[]> {
  return Object.fromEntries(
    widgets.flatMap(({ properties: { title, metrics } }) =>
      metrics === undefined || title === undefined ? [] : [[title, metrics.map(([, name]) => String(name))]],
    ),
  );
}

const ofQueueAndFunction = {
  'Waiting messages': [
    'ApproximateNumberOfMessagesVisible',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesDelayed',
  ],
  'Age of the oldest message, in seconds': ['ApproximateAgeOfOldestMessage'],
  'Sent, received and deleted messages': [
    'NumberOfMessagesSent',
    'NumberOfMessagesReceived',
    'NumberOfMessagesDeleted',
  ],
  'Invocations, errors and throttles': ['Invocations', 'Errors', 'Throttles'],
  'Duration, in milliseconds': ['Duration', 'Duration', 'Duration'],
  'Concurrent invocations': ['ConcurrentExecutions'],
};
const depths = (count: number) => Array.from({ length: count }, () => 'ApproximateNumberOfMessagesVisible');
const ofTable = (id: string, throttles: string[]) => ({
  [`${id}: consumed read units in a minute`]: ['ConsumedReadCapacityUnits'],
  [`${id}: consumed write units in a minute`]: ['ConsumedWriteCapacityUnits'],
  [`${id}: throttles in a minute`]: ['ReadThrottleEvents', ...throttles],
});

describe('the widgets of an endpoint', () => {
  it('are those of its queues and its function when it has nothing more', () => {
    expect(graphsOf(widgetsOf(barelyMonitored().stack))).toEqual({
      ...ofQueueAndFunction,
      'Messages that failed': depths(2),
    });
  });

  it.each([
    [false, 1],
    [undefined, 2],
  ] as const)('show the queues that there are: errorQueue %s, %d', (errorQueue, count) => {
    const { stack } = barelyMonitored({}, errorQueue === undefined ? {} : { errorQueue });
    expect(graphsOf(widgetsOf(stack))).toMatchObject({ 'Messages that failed': depths(count) });
  });

  it('go on to its messages, its relay and its tables', () => {
    expect(graphsOf(widgetsOf(monitored().stack))).toEqual({
      ...ofQueueAndFunction,
      'Messages that failed': depths(3),
      'Attempts, by how they end': [
        'MessagesHandled',
        'MessagesDuplicate',
        'MessagesRedispatched',
        'MessagesFailed',
      ],
      'Retries, conflicts and lock waits': ['MessageRetries', 'SagaConflicts', 'SagaLockWaits'],
      'Discards, reused ids and failed compensations': [
        'MessagesDiscarded',
        'TimeoutsDiscarded',
        'DuplicateBodyMismatches',
        'MessageIdsReused',
        'CompensationsFailed',
      ],
      'Duration of an attempt, in milliseconds': ['MessageDuration', 'MessageDuration'],
      'Runs of the relay': ['Invocations', 'Errors', 'Errors'],
      'Age of the changes that the watcher reads, in milliseconds': ['IteratorAge'],
      'Undispatched records': ['RecordsUndispatched', 'RecordsNotRelayed'],
      'Age of the oldest undispatched record, in seconds': ['OldestUndispatchedRecordAge'],
      ...ofTable('Sagas', ['WriteThrottleEvents']),
      ...ofTable('Outbox', ['WriteThrottleEvents']),
    });
  });

  it('do not overlap, and stay within the 24 columns', () => {
    const widgets = widgetsOf(monitored().stack);
    const cells = widgets.flatMap(({ x, y, width, height }) =>
      Array.from(
        { length: width * height },
        (_, index) => `${x + (index % width)},${y + Math.floor(index / width)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...widgets.map(({ x, width }) => x + width))).toBe(24);
  });

  it('show the state of all alarms, and thresholds in the graphs', () => {
    const { stack, monitoring } = monitored();
    const widgets = widgetsOf(stack);
    expect(widgets.find(({ type }) => type === 'alarm')?.properties.alarms).toHaveLength(
      monitoring.alarms.length,
    );
    const lines = Object.fromEntries(
      widgets.flatMap(({ properties: { title = '', annotations } }) =>
        (annotations?.horizontal ?? []).map(({ value }) => [title, value]),
      ),
    );
    expect(lines).toEqual({
      'Age of the oldest message, in seconds': 3_600,
      'Duration, in milliseconds': 24_000,
      'Age of the changes that the watcher reads, in milliseconds': 3_600_000,
      'Age of the oldest undispatched record, in seconds': 3_600,
      'Sagas: consumed read units in a minute': 6_000,
      'Sagas: consumed write units in a minute': 3_000,
      'Outbox: consumed read units in a minute': 6_000,
      'Outbox: consumed write units in a minute': 3_000,
    });
  });

  it('link to the consoles of what there is', () => {
    const [heading] = widgetsOf(monitored({ runbookUrl: 'https://wiki.example.com/run' }).stack);
    const { markdown = '' } = heading?.properties ?? {};
    const links = new Map(
      [...markdown.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label, url]) => [label, url]),
    );
    expect([...links.keys()]).toEqual([
      'Queue',
      'Dead letter queue',
      'Error queue',
      'Unsent timeouts',
      'Function',
      'Log',
      'Relay',
      'Log of the relay',
      'Log of the watcher',
      'Sagas',
      'Outbox',
      'Runbook',
    ]);
    const home = (service: string) =>
      `https://<AWS::Region>.console.aws.amazon.com/${service}/home?region=<AWS::Region>#`;
    const queueUrl = 'https%3A%2F%2Fsqs.<AWS::Region>.<AWS::URLSuffix>%2F<AWS::AccountId>%2F<Orders';
    expect(links.get('Queue')).toContain(`${home('sqs/v3')}/queues/${queueUrl}`);
    expect(links.get('Function')).toContain(`${home('lambda')}/functions/<Timed`);
    expect(links.get('Log')).toContain(
      `${home('cloudwatch')}logsV2:log-groups/log-group/$252Faws$252Flambda$252F<`,
    );
    expect(links.get('Outbox')).toContain(`${home('dynamodbv2')}table?name=<Outbox`);
    expect(links.get('Runbook')).toBe('https://wiki.example.com/run');
  });

  it.each<[string, LogGroupProps | undefined, string]>([
    ['made by Lambda', undefined, '$252Faws$252Flambda$252F<Logging'],
    ['with a generated name', {}, '<Logs'],
    ['with a name', { logGroupName: '/shop/orders#1' }, '$252Fshop$252Forders$25231)'],
  ])('link to the log group %s', (_, props, group) => {
    const stack = unbundledStack();
    const handler = new LambdaFunction(stack, 'Logging', {
      code: Code.fromInline('exports.handler = () => {};'),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      ...(props && { logGroup: new LogGroup(stack, 'Logs', props) }),
    });
    const endpoint = inlineEndpoint(stack, 'Orders', { function: handler });
    new EndpointMonitoring(stack, 'Monitoring', { endpoint });
    expect(widgetsOf(stack)[0]?.properties.markdown).toContain(`log-groups/log-group/${group}`);
  });

  it.each([
    ['eu-west-1', 'https://eu-west-1.console.aws.amazon.com/'],
    ['cn-north-1', 'https://cn-north-1.console.amazonaws.cn/'],
    ['us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com/'],
  ])('link to the consoles of %s', (region, url) => {
    const app = unbundledStack().node.root as App;
    const stack = new Stack(app, 'Shop', { env: { account: '111111111111', region } });
    new EndpointMonitoring(stack, 'Monitoring', { endpoint: inlineEndpoint(stack, 'Orders') });
    expect(widgetsOf(stack)[0]?.properties.markdown).toContain(`[Queue](${url}`);
  });
});
