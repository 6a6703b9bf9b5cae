import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { HandlerContracts, SessionContracts } from '../../compose/session/session-options.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import type { AsJson } from '../../session/as-json.ts';
import type { OutboxSessionContext } from '../../session/session-context.ts';
import type { UnevaluatedCondition } from '../tables/test-tables.ts';
import type { CrashPoint, SessionTestOptions } from './session-options.ts';
import type { SessionResult } from './session-runner.ts';
import { SessionUnderTest } from './session-under-test.ts';

/** A session handler in memory, made by {@link testSession}. */
export interface SessionTest<Event, Response> {
  /**
   * Runs the handler with an event, as Lambda does. An event that comes again under its idempotency key gets
   * the stored response. Two at once: `await Promise.all([test.run(event), test.run(event)])`.
   *
   * @throws what the handler throws, and each SagaboxError that fails a session; then nothing was committed
   */
  run(event: Event): Promise<SessionResult<AsJson<Response>>>;
  /**
   * Runs the handler with an event until its process is killed: before or after the commit, or when all was
   * sent, but not marked.
   *
   * @throws SagaboxError `Configuration` when the session ends before that
   */
  crash(event: Event, at: CrashPoint): Promise<void>;
  /**
   * Sends what a crash left in the outbox, as the relay does.
   *
   * @returns of how many sessions
   */
  relay(): Promise<number>;
  /** Everything sent so far: a message that is sent twice is here twice, with one id. */
  readonly outgoing: readonly OutgoingMessage[];
  /** The writes of `transaction.add` that were committed so far. */
  readonly transactionItems: readonly TransactWriteItem[];
  /** What is in a table of the test's `tables`. @throws SagaboxError `Configuration` for another one */
  items(tableName: string): readonly Readonly<Record<string, AttributeValue>>[];
  /** Conditions of `transaction.add` that were taken to hold, because their table is not among the `tables`. */
  readonly unevaluatedConditions: readonly UnevaluatedCondition[];
}

/**
 * Runs the handler of an `outboxSession` as in production, but in memory: no AWS, no network, and a clock of
 * its own.
 *
 * @throws SagaboxError `Configuration` for options that cannot be used
 * @example
 * ```ts
 * import assert from 'node:assert';
 * import { type OutboxSessionContext } from 'sagabox';
 * import { testSession } from 'sagabox/testing';
 *
 * async function placeOrder(event: { orderId: string }, { send }: OutboxSessionContext) {
 *   send('orders', 'OrderPlaced', { orderId: event.orderId });
 *   return { accepted: event.orderId };
 * }
 *
 * const idempotencyKey = (event: { orderId: string }) => event.orderId;
 * const test = testSession(placeOrder, { idempotencyKey, scope: 'public' });
 * const { response, outgoing } = await test.run({ orderId: '1' });
 * assert.deepEqual([response, outgoing.length], [{ accepted: '1' }, 1]);
 * assert.equal((await test.run({ orderId: '1' })).hasRun, false);
 * ```
 */
export function testSession<
  Event,
  Response,
  const Sends extends readonly Contract[] = readonly Contract[],
  const Publishes extends readonly Contract[] = readonly Contract[],
>(
  handler: (
    event: Event,
    context: OutboxSessionContext<HandlerContracts<Sends, Publishes>>,
  ) => Response | Promise<Response>,
  options: SessionTestOptions & SessionContracts<Sends, Publishes> = {},
): SessionTest<Event, Response> {
  return new SessionUnderTest(handler as never, options) as SessionTest<Event, Response>;
}
