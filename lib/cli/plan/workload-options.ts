import { checkWorkload, type RegionPrices, type Workload } from '../../capacity/index.ts';
import { type OptionValues, textOf } from '../command-arguments.ts';
import { readWorkloadFile } from './workload-file.ts';

/** Which field of the workload each option sets; a path of one name is the workload's own, of two its message's. */
const numbers = {
  'messages-per-second': ['messagesPerSecond'],
  'peak-messages-per-second': ['peakMessagesPerSecond'],
  'batch-size': ['batchSize'],
  'deduplication-days': ['deduplicationDays'],
  'target-utilization': ['targetUtilizationPercent'],
  'saga-size': ['message', 'sagaBytes'],
  'lock-attempts': ['message', 'lockAttempts'],
  outgoing: ['message', 'outgoing'],
  'message-size': ['message', 'messageBytes'],
  destinations: ['message', 'destinations'],
  'compression-ratio': ['message', 'compressionRatio'],
  'duplicate-rate': ['message', 'duplicateRate'],
  'conflict-rate': ['message', 'conflictRate'],
  'metadata-size': ['message', 'metadataBytes'],
} as const;
const texts = {
  region: ['region'],
  'saga-change': ['message', 'sagaChange'],
  locking: ['message', 'locking'],
  layout: ['message', 'layout'],
} as const;
const switches = {
  'shared-table': { path: ['sharedTable'], value: true },
  'no-outbox': { path: ['message', 'outbox'], value: false },
  'relay-index': { path: ['message', 'relayIndex'], value: true },
} as const;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The options that describe a workload, the same for all commands that take one: for `readArguments`. */
export const workloadOptions = {
  workload: text,
  ...mapped(numbers, text),
  ...mapped(texts, text),
  ...mapped(switches, flag),
};

export const workloadUsage = `Workload (options come before what the file says):

  --workload FILE                JSON or YAML, of the fields of \`Workload\` of sagabox/capacity
  --messages-per-second N        on average, over a month
  --peak-messages-per-second N   at the busiest time (default: the average)
  --saga-size BYTES              of the saga's item as it is stored (default: 0, no saga)
  --saga-change CHANGE           create, update, complete or none (default: update)
  --locking MODE                 optimistic, eventual or pessimistic (default: optimistic)
  --lock-attempts N              attempts at the lease, when pessimistic (default: 1)
  --no-outbox                    handlers without an outbox
  --layout LAYOUT                packed or itemized (default: packed)
  --outgoing N                   messages that a handler sends (default: 0)
  --message-size BYTES           of one of them as it is kept, with its headers (default: 500)
  --destinations N               queues that they are spread over (default: 1)
  --compression-ratio RATIO      compressed bytes for each byte of them (default: 1, nothing compresses)
  --relay-index               the outbox table has the sparse index of the relay
  --duplicate-rate RATE          share of deliveries that are duplicates, 0 to below 1 (default: 0)
  --conflict-rate RATE           share of attempts that meet a conflict, 0 to 0.99 (default: 0)
  --metadata-size BYTES          of the outbox item of a message that sends nothing (default: 200, itemized 300)
  --deduplication-days DAYS      how long a handled message is known (default: 7)
  --target-utilization PERCENT   of provisioned capacity, 20 to 90 (default: 70)
  --batch-size N                 messages an invocation, on average (default: 1)
  --shared-table                 sagas and outbox in one table
  --region REGION                whose prices (default: us-east-1)`;

/**
 * The workload that the options and the workload file describe.
 *
 * @param defaults taken where neither says anything
 * @param prices whose region is the only one, when there are some
 * @returns every problem at once, each with the option or the path in the file that it is about
 */
export async function readWorkload(
  values: OptionValues,
  defaults: Partial<Workload> = {},
  prices?: RegionPrices,
): Promise<CheckedWorkload> {
  const file = textOf(values, 'workload');
  if (file === undefined) return checkDescribed({ message: {}, ...defaults }, values, undefined, prices);
  try {
    const described = await readWorkloadFile(file);
    return checkDescribed(
      isObject(described) ? { ...defaults, ...described } : described,
      values,
      file,
      prices,
    );
  } catch (error) {
    return { problems: [`${file}: ${(error as Error).message}`, ...problemsOfOptions(values)] };
  }
}

export type CheckedWorkload = { readonly workload: Workload } | { readonly problems: readonly string[] };

/**
 * What a file or an app describes, with the options before it.
 *
 * @param source where it comes from, for the problems
 * @param prices whose region is the only one, when there are some
 */
export function checkDescribed(
  described: unknown,
  values: OptionValues,
  source?: string,
  prices?: Pick<RegionPrices, 'region'>,
): CheckedWorkload {
  const given = settingsOf(values);
  const checked = checkWorkload(
    isObject(described) ? merge(described, given) : described,
    prices && { regions: [prices.region] },
  );
  if ('workload' in checked) return checked;
  return {
    problems: checked.problems.map(({ path, problem }) => {
      const option = optionOf(given, path) ?? (source === undefined ? optionFor(path) : undefined);
      if (option !== undefined) return `--${option}: ${problem}`;
      return [source, path, problem].filter(Boolean).join(': ');
    }),
  };
}

/** Those that options have by themselves, when nothing is known of what they add to. */
function problemsOfOptions(values: OptionValues): string[] {
  const given = settingsOf(values);
  const checked = checkWorkload(merge({}, given));
  if ('workload' in checked) return [];
  return checked.problems.flatMap(({ path, problem }) => {
    const option = optionOf(given, path);
    return option === undefined ? [] : [`--${option}: ${problem}`];
  });
}

function optionOf(given: readonly Setting[], path: string): string | undefined {
  return given.find((setting) => setting.path.join('.') === path)?.option;
}

interface Setting {
  readonly option: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

function settingsOf(values: OptionValues): Setting[] {
  const settings: Setting[] = [];
  for (const [option, path] of Object.entries(numbers)) {
    const value = textOf(values, option);
    if (value !== undefined) settings.push({ option, path, value: numberOf(value) });
  }
  for (const [option, path] of Object.entries(texts)) {
    const value = textOf(values, option);
    if (value !== undefined) settings.push({ option, path, value });
  }
  for (const [option, { path, value }] of Object.entries(switches)) {
    if (values[option] === true) settings.push({ option, path, value });
  }
  return settings;
}

/** What is no decimal number stays a text, for the check to refuse. */
function numberOf(given: string): unknown {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given) ? Number(given) : given;
}

function merge(described: Readonly<Record<string, unknown>>, settings: readonly Setting[]): unknown {
  const ofMessage = settings.filter(({ path }) => path.length > 1);
  const merged: Record<string, unknown> = { ...described };
  for (const { path, value } of settings) if (path.length === 1) merged[path[0] ?? ''] = value;
  if (ofMessage.length === 0) return merged;
  const { message = {} } = merged;
  // What is no object is refused by the check, and not hidden by an option.
  if (!isObject(message)) return merged;
  return {
    ...merged,
    message: { ...message, ...Object.fromEntries(ofMessage.map(({ path, value }) => [path[1], value])) },
  };
}

function optionFor(path: string): string | undefined {
  const all = { ...numbers, ...texts };
  return Object.entries(all).find(([, known]) => known.join('.') === path)?.[0];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped<Name extends string, Definition>(
  options: Readonly<Record<Name, unknown>>,
  definition: Definition,
): Record<Name, Definition> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, definition])) as Record<
    Name,
    Definition
  >;
}
