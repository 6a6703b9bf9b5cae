import type { EventBuses, EventTarget } from './event-buses.ts';
import { type EventEntry, entryBytes } from './event-entry.ts';
import { ServiceError, validationError } from './service-error.ts';

interface EventBridgeRequest {
  readonly Name?: string;
  readonly Rule?: string;
  readonly EventBusName?: string;
  readonly EventPattern?: string;
  readonly State?: string;
  readonly Targets?: readonly EventTarget[];
  readonly Entries?: readonly EventEntry[];
}

type Operation = (request: EventBridgeRequest, buses: EventBuses) => unknown;

const maxEntries = 10;
/** Of all entries together. "Amazon EventBridge quotas": 1 MB since 2026-01. */
const maxBytes = 1_024 * 1_024;

const operations: Readonly<Record<string, Operation>> = {
  CreateEventBus: ({ Name: name = '' }, buses) => ({ EventBusArn: buses.createBus(name) }),
  DeleteEventBus: ({ Name: name = '' }, buses) => {
    buses.deleteBus(name);
    return {};
  },
  PutRule: ({ Name: name = '', EventBusName: busName, EventPattern: pattern, State: state }, buses) => ({
    RuleArn: buses.putRule(busName, name, pattern, state !== 'DISABLED'),
  }),
  PutTargets: ({ Rule: rule = '', EventBusName: busName, Targets: targets = [] }, buses) => {
    buses.putTargets(busName, rule, targets);
    return { FailedEntryCount: 0, FailedEntries: [] };
  },
  PutEvents: async ({ Entries: entries = [] }, buses) => {
    if (entries.length < 1 || entries.length > maxEntries) {
      throw validationError(`1 to ${maxEntries} entries are allowed in one request, not ${entries.length}`);
    }
    const bytes = entries.reduce((total, entry) => total + entryBytes(entry), 0);
    if (bytes > maxBytes) {
      throw validationError(`Total size of the entries in the request is over the limit: ${bytes} bytes`);
    }
    const results = await buses.putEvents(entries);
    const failed = results.filter(({ ErrorCode: code }) => code !== undefined).length;
    return { FailedEntryCount: failed, Entries: results };
  },
};

/** Answers one call of the JSON 1.1 protocol of EventBridge. */
export async function callEventBridge(operation: string, body: string, buses: EventBuses): Promise<unknown> {
  const perform = operations[operation];
  if (perform === undefined) {
    throw new ServiceError('UnknownOperationException', `The local EventBridge does not play ${operation}`);
  }
  return perform(JSON.parse(body) as EventBridgeRequest, buses);
}
