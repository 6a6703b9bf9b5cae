import { localArn } from '../../app/identity.ts';
import type { QueueSender } from '../queue-sender.ts';
import { notFound, ServiceError, validationError } from '../service-error.ts';
import { type EntryRefusal, type EventEntry, entryRefusal, envelopeOf } from './entry.ts';
import { type EventPattern, matchesPattern, patternProblem } from './pattern.ts';

/** A target of a rule, in the JSON of the wire. */
export interface EventTarget {
  readonly Id: string;
  readonly Arn: string;
  readonly SqsParameters?: { readonly MessageGroupId: string };
}

export interface PutEventsResult extends Partial<EntryRefusal> {
  readonly EventId?: string;
}

interface EventRule {
  readonly arn: string;
  readonly pattern: EventPattern;
  readonly isEnabled: boolean;
  readonly targets: Map<string, EventTarget>;
}

const defaultBusName = 'default';

/** Settings of a target that the local EventBridge does not play. */
const settingsNotPlayed = ['Input', 'InputPath', 'InputTransformer'] as const;

export function isPlayedTarget(target: EventTarget): boolean {
  return target.Arn.includes(':sqs:') && settingsNotPlayed.every((setting) => !(setting in target));
}

/** The event buses, their rules, and the events that go through them to queues. */
export class EventBuses {
  readonly #buses = new Map<string, Map<string, EventRule>>([[defaultBusName, new Map()]]);
  readonly #sender: QueueSender;
  readonly #now: () => number;

  constructor(sender: QueueSender, now: () => number) {
    this.#sender = sender;
    this.#now = now;
  }

  /** @returns the ARN of the new bus. */
  createBus(name: string): string {
    if (!/^[/.\-_A-Za-z0-9]{1,256}$/.test(name))
      throw validationError(`The event bus name '${name}' is not valid`);
    if (this.#buses.has(name)) {
      throw new ServiceError('ResourceAlreadyExistsException', `Event bus ${name} already exists.`);
    }
    this.#buses.set(name, new Map());
    return localArn('events', `event-bus/${name}`);
  }

  deleteBus(name: string): void {
    if (name !== defaultBusName) this.#buses.delete(name);
  }

  /** Creates a rule or changes its pattern; its targets stay. Returns its ARN. */
  putRule(
    busName: string | undefined,
    name: string,
    patternJson: string | undefined,
    isEnabled: boolean,
  ): string {
    if (patternJson === undefined)
      throw validationError('The local EventBridge plays rules with an EventPattern only');
    const pattern = parsedPattern(patternJson);
    const rules = this.#rulesOf(busName);
    const bus = nameOfBus(busName);
    const arn = localArn('events', `rule/${bus === defaultBusName ? '' : `${bus}/`}${name}`);
    rules.set(name, { arn, pattern, isEnabled, targets: rules.get(name)?.targets ?? new Map() });
    return arn;
  }

  putTargets(busName: string | undefined, ruleName: string, targets: readonly EventTarget[]): void {
    const rule = this.#rulesOf(busName).get(ruleName);
    if (rule === undefined)
      throw notFound(`Rule ${ruleName} does not exist on EventBus ${nameOfBus(busName)}.`);
    const notPlayed = targets.find((target) => !isPlayedTarget(target));
    if (notPlayed !== undefined) {
      throw validationError(
        `'${notPlayed.Id}': the local EventBridge plays SQS queues without ${settingsNotPlayed.join(', ')}`,
      );
    }
    for (const target of targets) rule.targets.set(target.Id, target);
  }

  /** Takes each entry or refuses it alone; what is taken has gone to its queues when this returns. */
  async putEvents(entries: readonly EventEntry[]): Promise<PutEventsResult[]> {
    const results: PutEventsResult[] = [];
    for (const entry of entries) results.push(await this.#putEvent(entry));
    return results;
  }

  async #putEvent(entry: EventEntry): Promise<PutEventsResult> {
    const refusal = entryRefusal(entry);
    if (refusal !== undefined) return refusal;
    const rules = this.#buses.get(nameOfBus(entry.EventBusName));
    if (rules === undefined) {
      const reason = `Event bus ${entry.EventBusName} does not exist.`;
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: reason };
    }
    const envelope = envelopeOf(entry, this.#now());
    const body = JSON.stringify(envelope);
    for (const { isEnabled, pattern, targets } of rules.values()) {
      if (!isEnabled || !matchesPattern(pattern, envelope)) continue;
      for (const { Arn: queue, SqsParameters: parameters } of targets.values()) {
        await this.#sender.send({ queue, request: { MessageBody: body, ...parameters } });
      }
    }
    return { EventId: envelope.id };
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

function parsedPattern(json: string): EventPattern {
  let problem: string | undefined = 'Filter is not valid JSON';
  try {
    const pattern: unknown = JSON.parse(json);
    problem = patternProblem(pattern);
    if (problem === undefined) return pattern as EventPattern;
  } catch {
    // It is not valid JSON, as the problem says.
  }
  throw new ServiceError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${problem}`);
}
