import { randomUUID } from 'node:crypto';
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

/** An event as rules match it, and as targets get it. */
export interface EventEnvelope {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601 with seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
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

/** @param nowMs the time of an entry that names none. */
export function envelopeOf(entry: EventEntry, nowMs: number): EventEnvelope {
  return envelope({
    'detail-type': entry.DetailType ?? '',
    source: entry.Source ?? '',
    timeMs: entry.Time === undefined ? nowMs : entry.Time * 1_000,
    resources: entry.Resources ?? [],
    detail: JSON.parse(entry.Detail ?? '{}'),
  });
}

/** The event that a rule with a rate gives its targets. */
export function scheduledEvent(ruleArn: string, nowMs: number): EventEnvelope {
  return envelope({
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    timeMs: nowMs,
    resources: [ruleArn],
    detail: {},
  });
}

/** Bytes of an entry as EventBridge counts them: "Calculating PutEvents event entry size". */
export function entryBytes({ Time: time, Source, DetailType, Detail, Resources = [] }: EventEntry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((total, text) => total + Buffer.byteLength(text ?? ''), time === undefined ? 0 : 14);
}

function envelope({
  timeMs,
  ...fields
}: Pick<EventEnvelope, 'detail-type' | 'source' | 'resources' | 'detail'> & {
  timeMs: number;
}): EventEnvelope {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': fields['detail-type'],
    source: fields.source,
    account: localIdentity.accountId,
    time: `${new Date(timeMs).toISOString().slice(0, 19)}Z`,
    region: localIdentity.region,
    resources: fields.resources,
    detail: fields.detail,
  };
}

function isJsonObject(text: string | undefined): boolean {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
