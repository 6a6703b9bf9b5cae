import middy, { type MiddlewareObj } from '@middy/core';
import type { Flow } from '../../../lib/attempt/attempt.ts';
import { InvocationDeadline } from '../../../lib/attempt/invocation-deadline.ts';
import type { OpenSession } from '../../../lib/compose/session/open-session.ts';
import { runSession } from '../../../lib/compose/session/run-session.ts';
import { sessionMiddleware } from '../../../lib/compose/session/session-middleware.ts';
import { outboxRecordKey } from '../../../lib/dynamodb/keys.ts';
import { fingerprintOf } from '../../../lib/messages/fingerprint.ts';
import { recordsOutbox } from '../../../lib/pipeline/outbox/records-outbox.ts';
import { Session } from '../../../lib/session/line/session.ts';
import type { OutboxSessionScope } from '../../../lib/session/session-context.ts';
import type { SessionRequest } from '../../../lib/session/session-request.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { sendingTo } from '../../support/sending.ts';
import { endpoint, type SessionWorld } from './session-world.ts';

/** What one request is, and what its handler does. */
export interface InvocationScript {
  /** Undefined for a request without a key. */
  readonly key: string | undefined;
  readonly content: string;
  readonly exclusive: boolean;
  /** Whether its session is a middleware: then nothing ends a handler that runs longer than its invocation. */
  readonly isOfMiddy: boolean;
  readonly does: 'succeeds' | 'throws' | 'answers 500';
}

const TIMEOUT_MS = 10_000;
const LEASE_MS = 6_000;
const margins = { startMs: 2000, abortMs: 1000, giveUpMs: 500 };

interface Response {
  readonly statusCode: number;
  readonly body: string;
}

/** One invocation of the function, from its event to its answer, or to its death. */
export class Invocation {
  readonly name: string;
  readonly script: InvocationScript;
  isDead = false;
  hasEnded = false;
  /** Whether any of its calls ended in another way than with its answer. */
  isFaulted = false;
  hasCommitted = false;
  lastReadStep = -1;
  answer: Response | undefined;
  readonly #world: SessionWorld;
  readonly #others: readonly Invocation[];
  #startedStep = 0;
  #endedStep = Number.POSITIVE_INFINITY;
  #endsAtMs = 0;
  #isHandling = false;
  #handledStep = -1;

  constructor(name: string, script: InvocationScript, world: SessionWorld, others: readonly Invocation[]) {
    this.name = name;
    this.script = script;
    this.#world = world;
    this.#others = others;
  }

  get id(): string {
    return this.script.key ?? this.name;
  }

  get #request(): SessionRequest {
    const type = 'POST /orders';
    const http = { answersInLists: false } as never;
    const isRepeatable = this.script.key !== undefined;
    return { id: this.id, isRepeatable, type, content: this.script.content, headers: {}, http };
  }

  async run(): Promise<void> {
    const world = this.#world;
    this.#startedStep = world.step;
    this.#endsAtMs = world.nowMs + TIMEOUT_MS;
    const remainingMs = () => this.#endsAtMs - world.nowMs;
    const ports = world.portsOf(this);
    const flow: Flow = {
      endpoint,
      ports,
      sending: sendingTo({ orders: 'https://queues.test/orders' }),
      saga: undefined,
      outbox: recordsOutbox,
      deduplicationPeriodSeconds: 604_800,
      hooks: {},
      logger: silentLogger,
    };
    const exclusive = this.script.exclusive &&
      ports.requestLeases && {
        leases: ports.requestLeases,
        leaseDurationMs: LEASE_MS,
        waitTimeoutMs: 4000,
        newLeaseOwner: () => this.name,
      };
    const rules = {
      commitsStatus: (status: number) => status < 500,
      random: world.random,
      ...(exclusive && { exclusive }),
    };
    const open: OpenSession = async () => {
      const deadline = new InvocationDeadline(remainingMs, margins, world.startTimer);
      const session = new Session({ flow, request: this.#request, rules, deadline, metrics: undefined });
      return { session, leave: async () => {} };
    };
    let error: unknown;
    try {
      this.answer = (await this.#answerOf(open)) as Response;
    } catch (thrown) {
      error = thrown;
    }
    this.#end(error);
  }

  #answerOf(open: OpenSession): Promise<unknown> {
    const handle = (scope: OutboxSessionScope) => this.#handle(scope);
    if (!this.script.isOfMiddy) return runSession(open, {}, {}, handle);
    const cancel = this.#world.startTimer(TIMEOUT_MS, () => {
      this.isDead ||= this.#isHandling;
    });
    const handler = middy((_event: unknown, context: unknown) => handle(context as OutboxSessionScope));
    return handler
      .use(sessionMiddleware(open) as MiddlewareObj)({}, {} as never)
      .finally(cancel);
  }

  async #handle({ send }: OutboxSessionScope): Promise<Response> {
    this.#checkStart();
    this.#isHandling = true;
    for (const step of ['first', 'second']) {
      send('orders', 'Placed', { by: this.name, step });
      await this.#world.call(this, 'handler', async () => {});
    }
    this.#isHandling = false;
    if (!this.isGivenUp) this.#handledStep = this.#world.step;
    if (this.script.does === 'throws') throw new Error('the handler throws');
    return { statusCode: this.script.does === 'answers 500' ? 500 : 201, body: this.name };
  }

  #checkStart(): void {
    const { commits, storage, nowMs } = this.#world;
    const committed = commits.get(this.id);
    if (committed && committed.step < this.#startedStep && !this.isFaulted)
      this.#world.violate('I2', `the handler of ${this.name} runs, though its request is stored`);
    if (!this.script.exclusive || this.script.key === undefined) return;
    const lease = storage.requestLeases.get(outboxRecordKey(endpoint, this.id).partition);
    const other = this.#others.find(
      (each) =>
        each !== this && each.id === this.id && each.#isHandling && each.script.exclusive && !each.isDead,
    );
    const isLeased = lease !== undefined && lease.until.getTime() >= nowMs && lease.owner === other?.name;
    if (isLeased) this.#world.violate('exclusive', `${this.name} runs beside ${other?.name}`);
  }

  #end(error: unknown): void {
    this.hasEnded = true;
    this.#endedStep = this.#world.step;
    if (this.isDead) return;
    this.#isHandling = false;
    const { nowMs } = this.#world;
    if (nowMs > this.#endsAtMs) this.#world.violate('I7', `${this.name} answers after its invocation ended`);
    this.#world.count(this.answer ? `answered ${this.answer.statusCode}` : 'failed');
    const problem = this.#problemOf(error);
    if (problem) this.#world.violate('answer', `${this.name} ${problem}`);
  }

  #problemOf(error: unknown): string | undefined {
    const committed = this.#world.commits.get(this.id);
    const isSame = committed !== undefined && this.#isLike(committed.by);
    // What is stored when its handler ends, or it looks last, has to be its answer.
    const lastLook = Math.max(this.lastReadStep, this.#handledStep);
    const hasSeen = isSame && committed.step < lastLook && !this.isFaulted && !this.#isCutOff;
    const { answer, script } = this;
    if (this.hasCommitted && !this.#isOverdue && answer?.body !== this.name)
      return 'has committed, and answers something else';
    if (answer === undefined) {
      if (hasSeen) return `fails, though its response is stored (${error})`;
      const isExplained = this.isFaulted || script.does === 'throws' || this.#isOverdue;
      return isExplained ? undefined : `fails for nothing: ${error}`;
    }
    switch (answer.statusCode) {
      case 201:
        return committed?.by.name === answer.body && isSame
          ? undefined
          : `answers ${answer.body}, which is not stored`;
      case 422:
        return this.#rivals.some((other) => !this.#isLike(other))
          ? undefined
          : 'finds another request, and there is none';
      case 409:
        return script.exclusive && this.#rivals.some((other) => other.hadLeaseSince(this.#startedStep))
          ? undefined
          : 'waits for nobody';
      default:
        if (script.does !== 'answers 500') return `answers ${answer.statusCode}`;
        return hasSeen ? 'answers 500, though its response is stored' : undefined;
    }
  }

  /** Whether it is to answer that it failed. */
  get isGivenUp(): boolean {
    return this.#world.nowMs >= this.#endsAtMs - margins.giveUpMs;
  }

  /** Whether the time was over before its last look was answered. */
  get #isCutOff(): boolean {
    return this.#world.nowMs >= this.#endsAtMs - margins.giveUpMs / 2;
  }

  get #isOverdue(): boolean {
    return this.#world.nowMs >= this.#endsAtMs - margins.abortMs;
  }

  get #rivals(): readonly Invocation[] {
    return this.#others.filter((other) => other !== this && other.id === this.id);
  }

  /** Whether it may have had the lease after a step, or have left it behind. */
  hadLeaseSince(step: number): boolean {
    return this.script.exclusive && (this.isDead || this.isFaulted || this.#endedStep > step);
  }

  #isLike({ script: { content } }: Invocation): boolean {
    const of = (body: string) => Buffer.from(fingerprintOf({ type: '', body })).toString('hex');
    return of(content) === of(this.script.content);
  }
}
