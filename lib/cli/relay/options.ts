import { parseArgs } from 'node:util';
import { parseJsonSetting } from '../../core/checks/json-setting.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { isRelayStrategy } from '../../core/outbox/relay-defaults.ts';
import type { RelayOutboxOptions } from '../../middleware/relay/relay-options.ts';
import { parseDurationMs } from '../since.ts';

export interface RelayCommandOptions {
  /** As those of the handler, and checked as those are. */
  readonly relay: RelayOutboxOptions;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export type RelayCommandLine = { run: RelayCommandOptions } | { help: true } | { refused: string };

export const relayUsage = `Dispatches what functions that died left undispatched in the outbox of an endpoint.

Usage: sagabox relay --endpoint NAME --table NAME [options]

  --endpoint NAME             whose records (default: SAGABOX_ENDPOINT)
  --table NAME                the endpoint's outbox table (default: SAGABOX_OUTBOX_TABLE)
  --destination NAME=ADDRESS  where messages to NAME go: a queue URL, or the ARN of an SNS topic or an event bus; may be
                              repeated, and comes before those in SAGABOX_DESTINATIONS
  --strategy index|scan       how to find records: by the sparse index of the table, or by reading all of it (default:
                              index when SAGABOX_RELAY_INDEX is true, else scan)
  --older-than DURATION       only records stored that long ago (90s, 30m, 12h, 7d; default: 15m)
  --max-read-units N          read units a second that a scan takes at most (default: 25)
  --keep DURATION             how long a message is known after its dispatch (give what the endpoint has; default: 7d)
  --partition-key NAME        the table's partition key, when it is not PK
  --sort-key NAME             the table's sort key, when it is not SK
  --ttl-attribute NAME        the table's time to live attribute, when it is not ExpiresAt
  --dry-run                   tell what would be dispatched, and dispatch nothing
  --json                      write the result as one JSON object
  --help                      this text

Each record is taken under a lease of five minutes, dispatched, then marked: run twice at once, no message is sent twice;
interrupted at any time, none is lost. What an earlier run could not dispatch is tried at once. Messages that wait for a time
need SAGABOX_SCHEDULER. Region and credentials come from the environment, as for every tool of AWS.

Exit code: 0 when all was dispatched, 1 when a record could not be, or the search did not come to its end, 2 for options that
are not understood.`;

type Values = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** Reads the command line; what it does not understand is refused with a reason. */
export function readRelayCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RelayCommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        endpoint: { type: 'string' },
        table: { type: 'string' },
        destination: { type: 'string', multiple: true, default: [] },
        strategy: { type: 'string' },
        'older-than': { type: 'string' },
        'max-read-units': { type: 'string' },
        keep: { type: 'string' },
        'partition-key': { type: 'string' },
        'sort-key': { type: 'string' },
        'ttl-attribute': { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: true };
    const relay = relayOptions(values, environment);
    return { run: { relay, dryRun: values['dry-run'], json: values.json } };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function relayOptions(
  values: Values & { destination: string[] },
  environment: Readonly<Record<string, string | undefined>>,
): RelayOutboxOptions {
  const endpoint = text(values, 'endpoint') ?? environment[environmentVariables.endpoint];
  const tableName = text(values, 'table') ?? environment[environmentVariables.outboxTable];
  const strategy = text(values, 'strategy');
  const readUnits = text(values, 'max-read-units');
  const olderThan = durationOf(values, 'older-than');
  const keep = durationOf(values, 'keep');
  if (endpoint === undefined) throw new Error('--endpoint is missing: give the name of the endpoint');
  if (tableName === undefined)
    throw new Error("--table is missing: give the name of the endpoint's outbox table");
  if (strategy !== undefined && !isRelayStrategy(strategy)) {
    throw new Error(`--strategy takes index or scan, not '${strategy}'`);
  }
  if (readUnits !== undefined && !/^[1-9]\d{0,8}$/.test(readUnits)) {
    throw new Error(`--max-read-units takes a whole number from 1, not '${readUnits}'`);
  }
  return {
    endpoint,
    outboxTable: { tableName, ...keyNames(values) },
    ...destinations(values.destination, environment),
    ...(strategy && { strategy }),
    ...(readUnits && { maxReadUnitsPerSecond: Number(readUnits) }),
    ...(olderThan && { olderThan }),
    ...(keep && { deduplicationPeriod: keep }),
  };
}

function keyNames(values: Values) {
  const names = {
    partitionKeyName: text(values, 'partition-key'),
    sortKeyName: text(values, 'sort-key'),
    timeToLiveAttributeName: text(values, 'ttl-attribute'),
  };
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined));
}

/** Nothing when none is given: then those of the environment are taken as they are. */
function destinations(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Pick<RelayOutboxOptions, 'destinations'> {
  if (given.length === 0) return {};
  const variable = environmentVariables.destinations;
  const remedy = 'Set it to an object of addresses by name';
  const known = parseJsonSetting(variable, environment[variable], remedy) ?? {};
  if (typeof known !== 'object' || Array.isArray(known)) {
    throw new SagaboxError('Configuration', { setting: variable, problem: 'it is not an object', remedy });
  }
  const pairs = given.map((pair) => {
    const [, name, address] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name === undefined || address === undefined) {
      throw new Error(`--destination takes NAME=ADDRESS, not '${pair}'`);
    }
    return [name, address];
  });
  return { destinations: { ...known, ...Object.fromEntries(pairs) } };
}

function durationOf(values: Values, name: string) {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const milliseconds = parseDurationMs(given);
  if (milliseconds !== undefined) return { milliseconds };
  throw new Error(`--${name} takes a duration such as 90s, 30m, 12h or 7d, not '${given}'`);
}

function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether it is the command line that is at fault. */
export function isRefusal(error: unknown): error is SagaboxError<'Configuration'> {
  return error instanceof SagaboxError && error.code === 'Configuration';
}
