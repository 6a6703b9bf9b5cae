import type { OutboxRecord } from '../../core/outbox/record.ts';
import type { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import type { SagaIdentity } from '../../core/storage/keys.ts';
import { causeOf, isHandledAgain } from '../handled-again.ts';
import { isConflict } from '../recoverability/policy.ts';
import { isCommitConflict } from './commit-refusal.ts';
import type { GroupMember, SagaGroup } from './saga-group.ts';

/** The line that a place is in. */
interface Line {
  readonly commits: number;
  mayFollow(place: SagaPlace): boolean;
  crowdOf(sharing: object): number;
  noteCommit(): void;
  groupOf(place: SagaPlace): SagaGroup;
  advance(): void;
  leave(place: SagaPlace): void;
}

export interface PlaceTerms {
  readonly messageId: string;
  /** Whether those behind it wait for its outcome, as in a FIFO group. */
  readonly isInOrder: boolean;
}

/** How a message asks for its turn. */
export interface TurnRequest {
  /** Of the attempt. */
  readonly meter: CapacityMeter;
  /** Whose messages may share a group with it; undefined for a message that is handled by itself. */
  readonly sharing: object | undefined;
  /** The one that it needs: only messages of one saga share a group. */
  readonly saga: SagaIdentity;
  /** Whether it begins only when all ahead of it are committed: it follows in no group. */
  readonly needsCommitted?: boolean;
}

/**
 * - `holding`: between two attempts, or sending what it did. Those behind it in the line wait.
 * - `waiting`: for its turn. Those behind it wait.
 * - `working`: it has the turn, and its handler may run. Those behind it wait.
 * - `joined`: its handler has returned, and its group is still to be committed. Those behind it may follow there.
 * - `aside`: a duplicate, or to be retried after a failure that is no conflict. Those behind it go past it.
 *
 * Which event leads from which state to which one is drawn in `docs/design/saga-queue.md`.
 * One that is committed without a group is `working` until it leaves.
 */
type State = 'holding' | 'waiting' | 'working' | 'joined' | 'aside';

/** The place of one message in the line of its saga, over all attempts at it. */
export class SagaPlace {
  readonly messageId: string;
  readonly #line: Line;
  readonly #isInOrder: boolean;
  #state: State = 'holding';
  #hasLeft = false;
  #request: TurnRequest | undefined;
  #turn = Promise.withResolvers<void>();
  /** Over all attempts: those behind it in a group wait for the one that sends. */
  readonly #sent = Promise.withResolvers<void>();
  #group: SagaGroup | undefined;
  /** Or may be, if the answer got lost. */
  #committedIn: SagaGroup | undefined;
  /** The line's count of commits when the dedup check found no record. */
  #absentAt: number | undefined;

  constructor(line: Line, { messageId, isInOrder }: PlaceTerms) {
    this.#line = line;
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

  /** In which it is handled, on what the message before it leaves; undefined if it begins a new one. */
  get group(): SagaGroup | undefined {
    return this.#group;
  }

  /** Whether its handler was given what messages ahead of it left, which is not committed. */
  get isFollowing(): boolean {
    return this.isWorking && this.#group !== undefined;
  }

  get mayFollow(): boolean {
    return this.sharing !== undefined && this.#line.mayFollow(this);
  }

  /** How many messages of its line, with itself, may share a commit. */
  get crowd(): number {
    return this.sharing === undefined ? 1 : this.#line.crowdOf(this.sharing);
  }

  /** Whether the dedup check found no record, and nothing was committed in this line since. */
  get isKnownAbsent(): boolean {
    return this.#absentAt === this.#line.commits;
  }

  /** @param read the dedup check */
  async noteAbsence(read: Promise<OutboxRecord | undefined>): Promise<OutboxRecord | undefined> {
    const { commits } = this.#line;
    const record = await read;
    if (record === undefined) this.#absentAt = commits;
    return record;
  }

  /** @returns when it is its turn; the turn is kept over attempts, unless others may go on meanwhile */
  ask(request: TurnRequest): Promise<void> {
    if (this.#hasLeft) return Promise.reject(returnedBefore());
    this.#request = request;
    this.#group = undefined;
    this.#state = 'waiting';
    this.#turn = Promise.withResolvers();
    this.#line.advance();
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
   * @throws HandledAgain if it cannot be committed with them; else what the commit throws
   */
  async join(member: GroupMember): Promise<OutboxRecord> {
    const hasTurn = this.isWorking && this.#request?.meter === member.meter;
    if (!hasTurn) throw new Error('The attempt at the message has ended before its commit');
    const group = this.#line.groupOf(this);
    const committed = group.add(member, this.#sent.promise);
    this.#group = group;
    this.#committedIn = group;
    this.#state = 'joined';
    this.#line.advance();
    return await committed;
  }

  /** Whether it is to be committed in a group, or is being committed. */
  hasJoined(group: SagaGroup): boolean {
    return this.#state === 'joined' && this.#group === group;
  }

  leaveGroup(group: SagaGroup): void {
    if (this.hasJoined(group)) this.#state = 'holding';
  }

  /** It needs its saga no longer: those behind it may go on. */
  passOn(): void {
    if (this.sharing === undefined) return;
    this.#state = this.#isInOrder ? 'holding' : 'aside';
    this.#line.advance();
  }

  /**
   * An attempt at the message has failed: others may go on, unless they have to wait for the next one.
   *
   * @returns the group whose messages left what it failed on
   */
  failed(error: unknown): SagaGroup | undefined {
    const group = this.#group;
    const state = this.#state;
    if (!isCommitConflict(causeOf(error))) this.#absentAt = undefined;
    if (state === 'joined' || state === 'aside') return undefined;
    if (state === 'working' && !isCommitConflict(error) && group === undefined) this.#line.noteCommit();
    const othersGoOn = this.sharing !== undefined && !this.#isInOrder && !isConflict(error);
    const isOwnFailure = state !== 'holding' && !isHandledAgain(error);
    this.#state = othersGoOn && isOwnFailure ? 'aside' : 'holding';
    this.#line.advance();
    return state === 'working' && isOwnFailure ? group : undefined;
  }

  /** When what those before it in its group send is sent. */
  async sentAhead(): Promise<void> {
    await this.#committedIn?.sentAhead(this.messageId);
  }

  noteSent(): void {
    this.#sent.resolve();
  }

  leave(): void {
    this.noteSent();
    if (this.isWorking && this.#group === undefined) this.#line.noteCommit();
    // Nobody waits for what comes after the end of its delivery.
    if (this.isWaiting) this.#turn.reject(returnedBefore());
    this.#hasLeft = true;
    this.#state = 'aside';
    this.#line.leave(this);
  }
}

function returnedBefore(): Error {
  return new Error('The message was returned before its turn');
}
