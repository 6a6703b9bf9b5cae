import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { isConflict } from '../../kernel/errors/conflict.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import { causeOf, isHandledAgain } from '../handled-again.ts';
import { isCommitConflict } from './commit-refusal.ts';
import type { GroupMember, SagaGroup } from './saga-group.ts';

/** The queue that an entry is in. */
interface Queue {
  readonly commits: number;
  mayFollow(entry: QueueEntry): boolean;
  crowdOf(sharing: object): number;
  noteCommit(): void;
  groupOf(entry: QueueEntry): SagaGroup;
  advance(): void;
  leave(entry: QueueEntry): void;
}

export interface EntryTerms {
  readonly messageId: string;
  /** Whether those behind it wait for its outcome, as in a FIFO group. */
  readonly isInOrder: boolean;
}

/** How a message asks for its turn. */
export interface TurnRequest {
  /** The attempt's meter, by which `join` recognizes the attempt that has the turn. */
  readonly meter: CapacityMeter;
  /** The object that a group has in common; `undefined` for a message that is handled by itself. */
  readonly sharing: object | undefined;
  /** The saga of the message: only messages of one saga share a group. */
  readonly saga: SagaIdentity;
  /** Whether the message begins only when all ahead of it are committed: it follows in no group. */
  readonly needsCommitted?: boolean;
}

/**
 * - `holding`: between two attempts, or sending what it did. Those behind it in the queue wait.
 * - `waiting`: for its turn. Those behind it wait.
 * - `working`: it has the turn, and its handler may run. Those behind it wait.
 * - `joined`: its handler has returned, and its group is to be committed. Those behind it may follow there.
 * - `passed`: a duplicate, or to be retried after a failure that is no conflict. Those behind it go past it.
 *
 * Which event leads from which state to which one is drawn in `docs/design/saga-queue.md`. A message that is
 * committed without a group is `working` until it leaves, or waits for what its former group sends.
 */
type State = 'holding' | 'waiting' | 'working' | 'joined' | 'passed';

/** The entry of one message in the queue of its saga, over all attempts at it. */
export class QueueEntry {
  readonly messageId: string;
  readonly #queue: Queue;
  readonly #isInOrder: boolean;
  #state: State = 'holding';
  #hasLeft = false;
  #request: TurnRequest | undefined;
  #turn = Promise.withResolvers<void>();
  /** Resolves when any attempt has sent the messages: those behind in a group wait for that. */
  #sent = Promise.withResolvers<void>();
  #hasSent = false;
  #group: SagaGroup | undefined;
  /** The group that the message is committed in, or may be if the answer got lost. */
  #committedIn: SagaGroup | undefined;
  /** The queue's count of commits when the dedup check found no record. */
  #absentAt: number | undefined;

  constructor(queue: Queue, { messageId, isInOrder }: EntryTerms) {
    this.#queue = queue;
    this.messageId = messageId;
    this.#isInOrder = isInOrder;
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  get isWorking(): boolean {
    return this.#state === 'working';
  }

  /** Whether those behind it wait, though it does not ask for the turn now. */
  get isHolding(): boolean {
    return this.#state === 'holding';
  }

  get sharing(): object | undefined {
    return this.#request?.sharing;
  }

  get saga(): SagaIdentity | undefined {
    return this.#request?.saga;
  }

  get needsCommitted(): boolean {
    return this.#request?.needsCommitted === true;
  }

  /** The group whose last state the handler is given; `undefined` if the message begins a new group. */
  get group(): SagaGroup | undefined {
    return this.#group;
  }

  /** Whether the handler was given a state that messages ahead left and that is not committed. */
  get isFollowing(): boolean {
    return this.isWorking && this.#group !== undefined;
  }

  get mayFollow(): boolean {
    return this.sharing !== undefined && this.#queue.mayFollow(this);
  }

  /** How many messages of its queue, with itself, may share a commit. */
  get crowd(): number {
    return this.sharing === undefined ? 1 : this.#queue.crowdOf(this.sharing);
  }

  /** Whether the dedup check found no record, and nothing was committed in this queue since. */
  get isKnownAbsent(): boolean {
    return this.#absentAt === this.#queue.commits;
  }

  /** @param read the dedup check */
  async noteAbsence(read: Promise<OutboxRecord | undefined>): Promise<OutboxRecord | undefined> {
    const { commits } = this.#queue;
    const record = await read;
    if (record === undefined) this.#absentAt = commits;
    return record;
  }

  /** Waits for the turn. A message keeps its turn over attempts, unless others may go on meanwhile. */
  ask(request: TurnRequest): Promise<void> {
    if (this.#hasLeft) return Promise.reject(returnedBefore());
    // A saga of another endpoint has committed the message.
    if (this.isWorking && this.#group === undefined) this.#queue.noteCommit();
    this.#request = request;
    this.#group = undefined;
    this.#state = 'waiting';
    this.#turn = Promise.withResolvers();
    this.#queue.advance();
    return this.#turn.promise;
  }

  begin(group: SagaGroup | undefined): void {
    this.#state = 'working';
    this.#group = group;
    group?.limitTime();
    this.#turn.resolve();
  }

  /**
   * Commits what the message did, together with what others of its group did.
   *
   * @throws HandledAgain if it cannot be committed with them; else the error of the commit
   */
  async join(member: GroupMember): Promise<OutboxRecord> {
    const hasTurn = this.isWorking && this.#request?.meter === member.meter;
    if (!hasTurn) throw new Error('The attempt at the message has ended before its commit');
    const group = this.#queue.groupOf(this);
    // What the message sends for another saga of its own was sent before.
    if (this.#hasSent) this.#sent = Promise.withResolvers();
    this.#hasSent = false;
    const committed = group.add(member, this.#sent.promise);
    this.#group = group;
    this.#committedIn = group;
    this.#state = 'joined';
    this.#queue.advance();
    return await committed;
  }

  /** Whether the message is to be committed in the group, or is being committed. */
  hasJoined(group: SagaGroup): boolean {
    return this.#state === 'joined' && this.#group === group;
  }

  leaveGroup(group: SagaGroup): void {
    if (this.hasJoined(group)) this.#state = 'holding';
  }

  /** Passes the turn on: the message does not need its saga any more. */
  passOn(): void {
    if (this.sharing !== undefined) this.#giveWay();
  }

  /**
   * Ends a failed attempt: others may go on, unless they have to wait for the next attempt.
   *
   * @returns the group whose messages left the state that the attempt failed on
   */
  failed(error: unknown): SagaGroup | undefined {
    const group = this.#group;
    const state = this.#state;
    if (!isSagaConflict(causeOf(error))) this.#absentAt = undefined;
    if (state === 'joined' || state === 'passed') return undefined;
    if (state === 'working' && !isCommitConflict(error) && group === undefined) this.#queue.noteCommit();
    const othersGoOn = this.sharing !== undefined && !this.#isInOrder && !isConflict(error);
    const isOwnFailure = state !== 'holding' && !isHandledAgain(error);
    this.#state = othersGoOn && isOwnFailure ? 'passed' : 'holding';
    this.#queue.advance();
    return state === 'working' && isOwnFailure ? group : undefined;
  }

  /**
   * Waits until the messages that earlier members of its group send are sent. A message that is handled by itself after
   * that group passes its turn on, as the others may need one to send.
   */
  async sentAhead(): Promise<void> {
    if (this.#committedIn === undefined) return;
    if (this.isWorking) {
      this.#queue.noteCommit();
      this.#giveWay();
    }
    await this.#committedIn.sentAhead(this.messageId);
  }

  noteSent(): void {
    this.#hasSent = true;
    this.#sent.resolve();
  }

  #giveWay(): void {
    this.#state = this.#isInOrder ? 'holding' : 'passed';
    this.#queue.advance();
  }

  leave(): void {
    this.noteSent();
    if (this.isWorking && this.#group === undefined) this.#queue.noteCommit();
    // Nothing may begin after the end of the delivery: nobody waits for it.
    if (this.isWaiting) this.#turn.reject(returnedBefore());
    this.#hasLeft = true;
    this.#state = 'passed';
    this.#queue.leave(this);
  }
}

/**
 * Whether a commit was refused for its saga: its message has most likely no record still, and if it has one,
 * the next commit is refused for that.
 */
function isSagaConflict(error: unknown): boolean {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}

function returnedBefore(): Error {
  return new Error('The message was returned before its turn');
}
