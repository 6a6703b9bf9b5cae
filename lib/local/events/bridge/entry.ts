import { randomUUID } from 'node:crypto';
import { parsedJson } from '../../../kernel/parsed-json.ts';
import { localIdentity } from '../../app/identity.ts';

/** One entry of PutEvents, in the JSON of the wire. */
export interface EventEntry {
  /** Seconds since 1970. */
  readonly Time?: number;
  readonly Source?: string;
  readonly Resources?: readonly string[];
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly EventBusName?: string;
}

export interface EntryRefusal {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

/** Why EventBridge refuses this entry alone, or undefined. */
export function entryRefusal(entry: EventEntry): EntryRefusal | undefined {
  const missing = (['Source', 'DetailType', 'Detail'] as const).find((name) => !entry[name]);
  if (missing !== undefined) {
    const reason = `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`;
    return { ErrorCode: 'InvalidArgument', ErrorMessage: reason };
  }
  if (entry.Source?.startsWith('aws.')) {
    const reason = `Not authorized for the source '${entry.Source}': 'aws.' is a reserved prefix`;
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: reason };
  }
  return isJsonObject(entry.Detail)
    ? undefined
    : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

/**
 * The event of an entry, as rules match it and as targets get it.
 *
 * @param nowMs the time of an entry that names none
 */
export function eventOf(entry: EventEntry, nowMs: number) {
  const time = new Date(entry.Time === undefined ? nowMs : entry.Time * 1_000);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': entry.DetailType ?? '',
    source: entry.Source ?? '',
    account: localIdentity.accountId,
    time: `${time.toISOString().slice(0, 19)}Z`,
    region: localIdentity.region,
    resources: entry.Resources ?? [],
    detail: JSON.parse(entry.Detail ?? '{}') as unknown,
  };
}

/** Bytes of an entry as EventBridge counts them: "Calculating PutEvents event entry size". */
export function entryBytes({ Time: time, Source, DetailType, Detail, Resources = [] }: EventEntry): number {
  const strings = [Source, DetailType, Detail, ...Resources];
  return strings.reduce((total, one) => total + Buffer.byteLength(one ?? ''), time === undefined ? 0 : 14);
}

function isJsonObject(json: string | undefined): boolean {
  const value = parsedJson(json ?? '');
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
