import { Option } from 'commander';
import { scaleChoices } from '../../capacity/rules/scale-rules.ts';
import { shapeChoices } from '../../capacity/rules/shape-rules.ts';
import { scaleDefaults } from '../../capacity/scale/scale-shape.ts';
import { shapeDefaults } from '../../capacity/shape-defaults.ts';
import { workloadDefaults } from '../../capacity/workload-defaults.ts';
import { duration, formatDuration, stringOption } from '../option-values.ts';

/** An option that sets a key of the workload, such as `message.sagaBytes`. */
export class WorkloadOption extends Option {
  readonly key: string;

  constructor(key: string, flags: string, description: string) {
    const byDefault = defaults[key];
    const isShown = byDefault !== undefined && typeof byDefault !== 'boolean';
    super(flags, isShown ? `${description} (default: ${byDefault})` : description);
    this.key = key;
    if (choices[key] !== undefined) this.argChoices = [...choices[key]];
    if (this.required) this.argParser<unknown>(flags.endsWith('<duration>') ? duration : decimal);
  }

  /** Its value on the command line; `undefined` if it is not there, where `--no-x` has the value `true`. */
  givenIn(values: object): unknown {
    const value = (values as Readonly<Record<string, unknown>>)[this.attributeName()];
    return this.negate && value === true ? undefined : value;
  }
}

const below = (key: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${key}.${name}`, value]));
const choices: Readonly<Record<string, readonly string[]>> = {
  ...below('message', shapeChoices),
  ...below('scale', scaleChoices),
};
const defaults: Readonly<Record<string, unknown>> = {
  peakMessagesPerSecond: 'the average',
  ...workloadDefaults,
  deduplicationPeriod: formatDuration(workloadDefaults.deduplicationPeriod),
  ...below('message', shapeDefaults),
  ...below('scale', scaleDefaults),
  'scale.busiestSagaMessagesPerSecond': undefined,
  'scale.invocationDuration': formatDuration(scaleDefaults.invocationDuration),
  'scale.scheduleDelay': formatDuration(scaleDefaults.scheduleDelay),
};

/** Anything else stays a string, for the check of the workload to refuse. */
function decimal(given: string): number | string {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(given) ? Number(given) : given;
}

const rows: readonly [key: string, flags: string, description: string][] = [
  ['messagesPerSecond', '--messages-per-second <n>', 'on average, over a month'],
  ['peakMessagesPerSecond', '--peak-messages-per-second <n>', 'at the busiest time'],
  ['message.sagaBytes', '--saga-size <bytes>', "size of the saga's item, 0 without a saga"],
  [
    'message.sagaCompressionRatio',
    '--saga-compression-ratio <ratio>',
    'bytes of its item with a compressed state, per byte without, 1 without compression',
  ],
  ['message.sagaChange', '--saga-change <change>', 'what handlers do with their saga'],
  ['message.locking', '--locking <mode>', 'eventual is optimistic with eventually consistent reads'],
  ['message.lockAttempts', '--lock-attempts <n>', 'attempts per lease, on average'],
  ['message.outbox', '--no-outbox', 'handlers without an outbox'],
  ['message.layout', '--layout <layout>', 'embedded is an outbox in the item of its saga'],
  [
    'message.liveIds',
    '--live-ids <n>',
    'messages that a saga has handled within the deduplication period; for an embedded outbox',
  ],
  ['message.appended', '--appended <n>', 'values that a handler appends to its saga'],
  ['message.collected', '--collected <n>', 'values that a handler collects from its saga, up to 90'],
  ['message.contributionBytes', '--contribution-size <bytes>', 'size of the item of one such value'],
  ['message.outgoing', '--outgoing <n>', 'messages that a handler sends'],
  ['message.messageBytes', '--message-size <bytes>', 'size of one of them in the outbox, with its headers'],
  ['message.destinations', '--destinations <n>', 'queues that they are spread over'],
  [
    'message.compressionRatio',
    '--compression-ratio <ratio>',
    'compressed bytes per byte of them, 1 without compression',
  ],
  [
    'message.duplicateRate',
    '--duplicate-rate <rate>',
    'share of deliveries that are duplicates, 0 to below 1',
  ],
  ['message.conflictRate', '--conflict-rate <rate>', 'share of attempts that meet a conflict, 0 to 0.99'],
  [
    'message.metadataBytes',
    '--metadata-size <bytes>',
    'size of the outbox item of a message without outgoing messages',
  ],
  [
    'deduplicationPeriod',
    '--deduplication-period <duration>',
    'how long handled ids are remembered, such as 12h, 7d; the default is that of MessageEndpoint',
  ],
  ['targetUtilizationPercent', '--target-utilization <percent>', 'of provisioned capacity, 20 to 90'],
  ['batchSize', '--batch-size <n>', 'messages per invocation, on average'],
  ['sharedTable', '--shared-table', 'sagas and outbox share one table'],
  ['region', '--region <region>', 'region of the prices and of the limits'],
  [
    'scale.busiestSagaMessagesPerSecond',
    '--busiest-saga-messages-per-second <n>',
    'messages of the saga that gets most of them, at the busiest time',
  ],
  ['scale.invocationDuration', '--invocation-duration <duration>', 'of an invocation, on average'],
  ['scale.queue', '--queue-type <type>', 'queue of the endpoint'],
  ['scale.topicMessages', '--topic-messages <n>', 'of the outgoing messages, those to topics'],
  ['scale.busEvents', '--bus-events <n>', 'of the outgoing messages, those to event buses'],
  ['scale.schedules', '--schedules <n>', 'of the outgoing messages, those that wait in the Scheduler'],
  ['scale.scheduleDelay', '--schedule-delay <duration>', 'how long they wait, on average'],
];

/** In the order of `--help`. */
export const workloadOptions = rows.map((row) => new WorkloadOption(...row).helpGroup('Workload:'));

export const workloadFileOption = stringOption(
  '--workload <file>',
  'workload as YAML or JSON; options override its keys',
).helpGroup('Workload:');
