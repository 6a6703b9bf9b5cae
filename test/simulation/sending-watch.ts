import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../../lib/messages/message.ts';
import type { OutboxRecord, OutboxWrite } from '../../lib/outbox/record.ts';
import type { Tally } from '../support/tally.ts';
import type { Violate } from './violation.ts';

export class SendingWatch {
  readonly #coverage: Tally;
  readonly #violate: Violate;
  /** The contents of committed messages, by their ids, and the ids of those that are to be taken back. */
  readonly #contents = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  /** What was committed together with it, by its id. */
  readonly #together = new Map<string, { by: object; operations: readonly OutgoingOperation[] }>();
  readonly #dueAt = new Map<string, Date>();
  readonly #dispatched = new Set<string>();
  readonly #idsByPlace = new Map<string, string>();
  readonly #placesById = new Map<string, string>();

  constructor(coverage: Tally, violate: Violate) {
    this.#coverage = coverage;
    this.#violate = violate;
  }

  /** Each attempt at a message sends the same ids, and no other message sends them. */
  checkIds(endpoint: string, outbox: OutboxWrite | undefined): void {
    for (const [index, { id }] of outbox?.operations.entries() ?? []) {
      const place = `${endpoint} ${outbox?.messageId} ${index}`;
      const known = this.#idsByPlace.get(place) ?? id;
      if (known !== id) this.#violate('I3', `'${outbox?.messageId}' sends message ${index} with another id`);
      this.#idsByPlace.set(place, known);
      const other = this.#placesById.get(id) ?? place;
      if (other !== place) this.#violate('I3', `two messages have the id '${id}'`);
      this.#placesById.set(id, place);
    }
  }

  /**
   * @param operations of each message of the commit
   * @param by the invocation
   */
  committed(operations: readonly (readonly OutgoingOperation[])[], by: object | undefined): void {
    const isTogether = operations.length > 1;
    if (isTogether && by)
      for (const operation of operations.flat())
        this.#together.set(keyOf(operation), { by, operations: operations.flat() });
    for (const operation of operations.flat()) {
      if (isCancellation(operation)) {
        this.#cancelled.add(operation.cancels);
        continue;
      }
      this.#contents.set(operation.id, contentOf(operation));
      if (operation.dueAt !== undefined) this.#dueAt.set(operation.id, new Date(operation.dueAt));
    }
  }

  sent(message: OutgoingMessage): void {
    const committed = this.#contents.get(message.id);
    const isRepeated = this.#dispatched.has(message.id);
    const named = `'${message.type}' with id '${message.id}'`;
    if (committed === undefined) this.#violate('I3', `${named} is sent, which nobody committed`);
    else if (committed !== contentOf(message))
      this.#violate('I3', `${named} is sent with another content than committed`);
    this.#coverage.add(isRepeated ? 'messages sent again' : 'messages sent');
    this.#dispatched.add(message.id);
  }

  unscheduled(messageId: string): void {
    if (!this.#cancelled.has(messageId))
      this.#violate('I3', `the timeout '${messageId}' is taken back by nobody`);
    this.#dispatched.add(cancelling(messageId));
  }

  /** Whoever commits messages together sends what they send to one group in their order, if nothing fails. */
  checkOrder(key: string, by: object | undefined): void {
    const { operations = [], by: committedBy } = this.#together.get(key) ?? {};
    if (by === undefined || committedBy !== by || this.#dispatched.has(key)) return;
    const index = operations.findIndex((operation) => keyOf(operation) === key);
    const operation = operations[index];
    const isOvertaken = (ahead: OutgoingOperation) =>
      operation !== undefined && !this.#isDispatched(ahead) && isInOrder(ahead, operation);
    const overtaken = operations.slice(0, index).find(isOvertaken);
    if (overtaken) this.#violate('order', `'${key}' is sent before '${overtaken.id}', which is ahead of it`);
    this.#coverage.add('sends of messages that were committed together');
  }

  /** When a committed message is to arrive, if it has to wait. */
  dueAt(messageId: string): Date | undefined {
    return this.#dueAt.get(messageId);
  }

  checkMark(messageId: string, operations: OutboxRecord['operations']): void {
    const missing = operations.filter((operation) => !this.#isDispatched(operation));
    if (missing.length === 0) return;
    const ids = missing.map(({ id }) => `'${id}'`).join(', ');
    this.#violate('I5', `'${messageId}' is marked before it is dispatched: ${ids} missing`);
  }

  checkEnd(): void {
    for (const [id] of this.#contents) {
      if (!this.#dispatched.has(id) && !this.#cancelled.has(id))
        this.#violate('I3', `'${id}' was never sent`);
    }
    for (const id of this.#cancelled) {
      if (!this.#dispatched.has(cancelling(id)))
        this.#violate('I3', `the timeout '${id}' was never taken back`);
    }
  }

  #isDispatched(operation: OutgoingOperation): boolean {
    return this.#dispatched.has(keyOf(operation));
  }
}

function contentOf({ destination, type, body, headers }: OutgoingMessage): string {
  return JSON.stringify([destination, type, body, headers]);
}

function keyOf(operation: OutgoingOperation): string {
  return isCancellation(operation) ? cancelling(operation.cancels) : operation.id;
}

function cancelling(messageId: string): string {
  return `cancel ${messageId}`;
}

/** Of one FIFO group, or a timeout and what takes it back. */
function isInOrder(ahead: OutgoingOperation, behind: OutgoingOperation): boolean {
  if (isCancellation(ahead)) return false;
  if (isCancellation(behind)) return behind.cancels === ahead.id;
  const { messageGroupId: group, destination } = behind;
  return group !== undefined && group === ahead.messageGroupId && destination === ahead.destination;
}
