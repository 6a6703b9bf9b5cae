import { setTimeout as delay } from 'node:timers/promises';
import type { BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { connectionLost } from '../../support/faults.ts';
import { type InterceptedCall, interceptCalls } from '../../support/intercepted-calls.ts';
import type { Random } from '../../support/random.ts';
import { type FaultKind, type FaultRates, faultsOf, perMillion } from './fault-kinds.ts';
import { partialCall } from './partial-answers.ts';
import { type Service, serverFailure, throttling, transactionConflict } from './service-failures.ts';

export interface FaultInjectorOptions {
  readonly random: Random;
  readonly rates: FaultRates;
  readonly onFault: (service: Service, kind: FaultKind) => void;
  readonly die: () => void;
}

interface Passing extends InterceptedCall {
  readonly service: Service;
}

const maxLatenessMs = 1500;

/** Lets the calls of clients fail by chance, before they reach the service or after, while it is on. */
export class FaultInjector {
  isOn = false;
  readonly #options: FaultInjectorOptions;
  readonly #late = new Set<Promise<unknown>>();
  readonly #calls = new Set<{ readonly name: string; readonly startedAt: number }>();

  constructor(options: FaultInjectorOptions) {
    this.#options = options;
  }

  /** The calls that have no answer yet, and for how long. */
  get pending(): string[] {
    return [...this.#calls].map(
      ({ name, startedAt }) => `${name} for ${Math.round(performance.now() - startedAt)} ms`,
    );
  }

  watch(service: Service, client: DynamoDBClient | SQSClient): void {
    for (const kind of ['call', 'request'] as const) {
      interceptCalls(client, kind, (call) => this.#pass({ service, ...call }, kind === 'call'));
    }
  }

  async settle(): Promise<void> {
    while (this.#late.size > 0) await Promise.all(this.#late);
  }

  async #pass(passing: Passing, isCall: boolean): Promise<object> {
    if (!isCall) return await this.#passOn(passing, isCall);
    const call = { name: `${passing.service} ${passing.operation}`, startedAt: performance.now() };
    this.#calls.add(call);
    try {
      return await this.#passOn(passing, isCall);
    } finally {
      this.#calls.delete(call);
    }
  }

  async #passOn(passing: Passing, isCall: boolean): Promise<object> {
    const { random, rates, die } = this.#options;
    if (!this.isOn) return await passing.proceed();
    const dies = !isCall && random.below(perMillion) < rates.death;
    if (dies && random.below(2) === 0) die();
    const kind = this.#choose(passing, isCall);
    const output = await (kind === undefined ? passing.proceed() : this.#inject(kind, passing));
    if (dies) die();
    return output;
  }

  #choose({ operation, input }: Passing, isCall: boolean): FaultKind | undefined {
    const { random, rates } = this.#options;
    const kinds = faultsOf(operation, isCall).filter((kind) => kind !== 'staleRead' || isEventual(input));
    const rate = isCall ? rates.call : rates.request;
    const drawn = random.below(perMillion);
    return drawn < rate * kinds.length ? kinds[Math.floor(drawn / rate)] : undefined;
  }

  async #inject(kind: FaultKind, { service, operation, input, proceed }: Passing): Promise<object> {
    const { random, onFault } = this.#options;
    onFault(service, kind);
    switch (kind) {
      case 'throttled':
        throw throttling(service);
      case 'failedBefore':
        throw serverFailure(service);
      case 'timedOutBefore':
        throw connectionLost();
      case 'conflict':
        throw transactionConflict(operation, input, random.below(100));
      case 'failedAfter':
        await proceed();
        throw serverFailure(service);
      case 'answerLost':
        await proceed();
        throw connectionLost();
      case 'appliedLate':
        this.#applyLate(proceed, random.below(maxLatenessMs));
        throw connectionLost();
      case 'partial': {
        const part = partialCall(operation, input, () => random.below(2) === 0);
        return part.complete(part.input === undefined ? { $metadata: {} } : await proceed(part.input));
      }
      case 'staleRead':
        return { $metadata: {}, Responses: {} };
    }
  }

  #applyLate(proceed: () => Promise<object>, latenessMs: number): void {
    const late = delay(latenessMs)
      .then(() => proceed())
      // Nobody waits for its answer.
      .catch(() => undefined)
      .finally(() => this.#late.delete(late));
    this.#late.add(late);
  }
}

/** Only what is read without consistency may be as old as from before its item was there. */
function isEventual(input: object): boolean {
  const { RequestItems = {} } = input as BatchGetItemCommandInput;
  return Object.values(RequestItems).every(({ ConsistentRead }) => ConsistentRead === false);
}
