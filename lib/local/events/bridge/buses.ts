import { thrownMessage } from '../../../kernel/errors/thrown.ts';
import { localArn } from '../../app/identity.ts';
import type { SendToQueue } from '../queue-sender.ts';
import { notFound, ServiceError, validationError } from '../service-error.ts';
import { type EntryRefusal, type EventEntry, entryBytes, entryRefusal, eventOf } from './entry.ts';
import { patternTest } from './pattern.ts';

/** A target of a rule, in the JSON of the wire. */
export interface EventTarget {
  readonly Id: string;
  readonly Arn: string;
  readonly SqsParameters?: { readonly MessageGroupId: string };
}

interface EventBridgeRequest {
  readonly Name?: string;
  readonly Rule?: string;
  readonly EventBusName?: string;
  readonly EventPattern?: string;
  readonly State?: string;
  readonly Targets?: readonly EventTarget[];
  readonly Entries?: readonly EventEntry[];
}

interface EventRule {
  readonly matches: (event: object) => boolean;
  readonly isEnabled: boolean;
  readonly targets: Map<string, EventTarget>;
}

const defaultBusName = 'default';
const maxEntries = 10;
/** Of all entries together. "Amazon EventBridge quotas": 1 MB since 2026-01. */
const maxBytes = 1_024 * 1_024;

/** Settings of a target that the local EventBridge does not play. */
const settingsNotPlayed = ['Input', 'InputPath', 'InputTransformer'] as const;

export function isPlayedTarget(target: EventTarget): boolean {
  return target.Arn.includes(':sqs:') && settingsNotPlayed.every((setting) => !(setting in target));
}

/** The event buses, their rules, and the events that go through them to queues. */
export class EventBuses {
  readonly #buses = new Map<string, Map<string, EventRule>>([[defaultBusName, new Map()]]);
  readonly #send: SendToQueue;
  readonly #now: () => number;

  constructor(send: SendToQueue, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  /** Answers one call of the JSON 1.1 protocol of EventBridge. */
  async call(operation: string, body: string): Promise<object> {
    const request: EventBridgeRequest = JSON.parse(body);
    switch (operation) {
      case 'CreateEventBus':
        return this.#createBus(request);
      case 'DeleteEventBus':
        if (request.Name !== defaultBusName) this.#buses.delete(request.Name ?? '');
        return {};
      case 'PutRule':
        return this.#putRule(request);
      case 'PutTargets':
        return this.#putTargets(request);
      case 'PutEvents':
        return await this.#putEvents(request);
      default:
        throw new ServiceError(
          'UnknownOperationException',
          `The local EventBridge does not play ${operation}`,
        );
    }
  }

  #createBus({ Name: name = '' }: EventBridgeRequest): object {
    if (!/^[/.\-_A-Za-z0-9]{1,256}$/.test(name)) {
      throw validationError(`The event bus name '${name}' is not valid`);
    }
    if (this.#buses.has(name)) {
      throw new ServiceError('ResourceAlreadyExistsException', `Event bus ${name} already exists.`);
    }
    this.#buses.set(name, new Map());
    return { EventBusArn: localArn('events', `event-bus/${name}`) };
  }

  /** Creates a rule or changes its pattern; its targets stay. */
  #putRule({ Name: name = '', EventBusName, EventPattern: json, State: state }: EventBridgeRequest): object {
    if (json === undefined)
      throw validationError('The local EventBridge plays rules with an EventPattern only');
    const matches = readPattern(json);
    const rules = this.#rulesOf(EventBusName);
    const targets = rules.get(name)?.targets ?? new Map<string, EventTarget>();
    rules.set(name, { matches, isEnabled: state !== 'DISABLED', targets });
    const bus = nameOfBus(EventBusName);
    return { RuleArn: localArn('events', `rule/${bus === defaultBusName ? '' : `${bus}/`}${name}`) };
  }

  #putTargets({ Rule: name = '', EventBusName, Targets: targets = [] }: EventBridgeRequest): object {
    const rule = this.#rulesOf(EventBusName).get(name);
    if (rule === undefined) {
      throw notFound(`Rule ${name} does not exist on EventBus ${nameOfBus(EventBusName)}.`);
    }
    const notPlayed = targets.find((target) => !isPlayedTarget(target));
    if (notPlayed !== undefined) {
      throw validationError(
        `'${notPlayed.Id}': the local EventBridge plays SQS queues without ${settingsNotPlayed.join(', ')}`,
      );
    }
    for (const target of targets) rule.targets.set(target.Id, target);
    return { FailedEntryCount: 0, FailedEntries: [] };
  }

  /** Takes each entry or refuses it alone; what is taken has gone to its queues when this returns. */
  async #putEvents({ Entries: entries = [] }: EventBridgeRequest): Promise<object> {
    if (entries.length < 1 || entries.length > maxEntries) {
      throw validationError(`1 to ${maxEntries} entries are allowed in one request, not ${entries.length}`);
    }
    const bytes = entries.reduce((total, entry) => total + entryBytes(entry), 0);
    if (bytes > maxBytes) {
      throw validationError(`Total size of the entries in the request is over the limit: ${bytes} bytes`);
    }
    const results: object[] = [];
    for (const entry of entries) results.push(await this.#putEvent(entry));
    return {
      FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
      Entries: results,
    };
  }

  async #putEvent(entry: EventEntry): Promise<EntryRefusal | { readonly EventId: string }> {
    const refusal = entryRefusal(entry);
    if (refusal !== undefined) return refusal;
    const rules = this.#buses.get(nameOfBus(entry.EventBusName));
    if (rules === undefined) {
      const reason = `Event bus ${entry.EventBusName} does not exist.`;
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: reason };
    }
    const event = eventOf(entry, this.#now());
    const MessageBody = JSON.stringify(event);
    for (const { isEnabled, matches, targets } of rules.values()) {
      if (!isEnabled || !matches(event)) continue;
      for (const { Arn: queue, SqsParameters: parameters } of targets.values()) {
        await this.#send(queue, { MessageBody, ...parameters });
      }
    }
    return { EventId: event.id };
  }

  #rulesOf(busName: string | undefined): Map<string, EventRule> {
    const rules = this.#buses.get(nameOfBus(busName));
    if (rules === undefined) throw notFound(`Event bus ${busName} does not exist.`);
    return rules;
  }
}

/** A bus is called by its name or its ARN. */
function nameOfBus(nameOrArn: string | undefined): string {
  return nameOrArn?.replace(/^arn:.*:event-bus\//, '') || defaultBusName;
}

function readPattern(json: string): EventRule['matches'] {
  try {
    return patternTest(JSON.parse(json));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'Filter is not valid JSON' : thrownMessage(error);
    throw new ServiceError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`);
  }
}
