import type { SQSRecord } from 'aws-lambda';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import type { OutgoingMessage } from '../../../lib/messages/message.ts';
import { wireAttributes, wireBody } from '../../../lib/messages/wire-format/wire.ts';
import { MemoryStorage } from '../../../lib/testing/memory/storage.ts';
import { sqsRecord } from '../../../lib/testing/sqs-record.ts';
import type { Random } from '../../support/random.ts';
import { PollLedger } from './poll-ledger.ts';

/** Whoever makes calls; once it is dead none of them goes on. */
export interface Caller {
  isDead: boolean;
}

interface Call {
  readonly caller: Caller;
  readonly port: string;
  readonly perform: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Timer {
  readonly atMs: number;
  readonly owner: Caller;
  readonly fire: () => void;
}

export interface QueuedMessage {
  readonly record: Parameters<typeof sqsRecord>[0];
  receiveCount: number;
}

/** Queue, tables and time of one endpoint. Each call waits until it is drawn, and each commit for its answer, too. */
export class PollWorld {
  readonly storage = new MemoryStorage();
  readonly ledger = new PollLedger();
  readonly counts = new Map<string, number>();
  readonly queue: QueuedMessage[] = [];
  readonly random: Random;
  hasFaults = true;
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  step = 0;
  #calls: Call[] = [];
  /** Of commits that took effect. */
  readonly #answers: (() => void)[] = [];
  #timers: Timer[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  isDrawn(share: number): boolean {
    return this.random.below(1000) < share * 1000;
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  put(type: string, id: string, body: object): void {
    this.queue.push({ record: { type, id, body: { poll: 'p', ...body } }, receiveCount: 0 });
  }

  deliver(message: OutgoingMessage): void {
    const record = { rawBody: wireBody(message), headers: wireAttributes(message) };
    this.queue.push({ record, receiveCount: 0 });
  }

  recordOf(message: QueuedMessage, index: number): SQSRecord {
    message.receiveCount += 1;
    return sqsRecord({ ...message.record, receiveCount: message.receiveCount, sqsMessageId: String(index) });
  }

  startTimer(owner: Caller, delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.nowMs + Math.max(0, delayMs), owner, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  call<T>(caller: Caller, port: string, perform: () => Promise<T>): Promise<T> {
    if (caller.isDead) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      this.#calls.push({ caller, port, perform, resolve: resolve as Call['resolve'], reject });
    });
  }

  /** What a commit wrote is shown, and its answer comes, in a later step. */
  answerLater(answer: () => void): void {
    this.#answers.push(answer);
  }

  /** @returns false when nothing can happen */
  async proceed(): Promise<boolean> {
    // Until each caller waits for a call, or for its time.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.step += 1;
    this.nowMs += 1;
    this.#calls = this.#calls.filter(({ caller }) => !caller.isDead);
    this.#timers = this.#timers.filter(({ owner }) => !owner.isDead);
    const isAnswer = this.#answers.length > 0 && (this.#calls.length === 0 || this.isDrawn(0.3));
    if (isAnswer) this.#draw(this.#answers)();
    else if (this.#calls.length > 0) await this.#end(this.#draw(this.#calls));
    else return this.#passTime();
    return true;
  }

  #draw<T>(among: T[]): T {
    return among.splice(this.random.below(among.length), 1)[0] as T;
  }

  #passTime(): boolean {
    if (this.#timers.length === 0) return false;
    this.nowMs = Math.max(this.nowMs, Math.min(...this.#timers.map(({ atMs }) => atMs)));
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { fire } of due) fire();
    return true;
  }

  async #end({ caller, port, perform, resolve, reject }: Call): Promise<void> {
    const draw = this.hasFaults ? this.random.below(100) : 100;
    const fate = draw < 3 ? 'crash' : draw < 7 ? 'lost' : draw < 10 ? 'refused' : 'answered';
    this.count(`${port} ${fate}`);
    if (fate === 'crash') caller.isDead = true;
    const takesEffect = fate !== 'refused' && (fate !== 'crash' || this.isDrawn(0.5));
    if (!takesEffect) return reject(noAnswer(port));
    try {
      const value = await perform();
      const answer = () => (fate === 'answered' ? resolve(value) : reject(noAnswer(port)));
      if (port === 'commit') this.answerLater(answer);
      else answer();
    } catch (error) {
      reject(fate === 'answered' ? error : noAnswer(port));
    }
  }
}

function noAnswer(port: string): SagaboxError {
  return port === 'dispatch'
    ? new SagaboxError('DispatchFailed', { destination: 'polls', failures: ['no answer'] })
    : new SagaboxError('TableCallFailed', { operation: port, tableNames: ['polls'], detail: 'no answer' });
}
