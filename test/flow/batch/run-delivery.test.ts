import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { SagaboxError, UnrecoverableError } from '../../../lib/core/failures/errors.ts';
import type { FailureFacts } from '../../../lib/core/failures/failure-facts.ts';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
import type { Returned } from '../../../lib/flow/batch/batch.ts';
import { InvocationDeadline, NotStarted } from '../../../lib/flow/batch/invocation-deadline.ts';
import { runDelivery } from '../../../lib/flow/batch/run-delivery.ts';
import { SagaTurns } from '../../../lib/flow/batch/saga-turns.ts';
import type { FailureHandling } from '../../../lib/flow/recoverability/handle-failure.ts';
import {
  type MessageFailure,
  NotConfigured,
  recoverability,
} from '../../../lib/flow/recoverability/policy.ts';
import { record } from '../../support/queue.ts';

const conflict = () =>
  new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '1', operation: 'update' });

const notStarted = () => new NotStarted('InvocationTimeout', { messageId: 'in-1', remainingTimeMs: 5 });

interface Run extends Partial<FailureHandling> {
  /** What the attempts throw, one after another; after them they succeed. */
  errors: unknown[];
  receiveCount?: number;
  /** Of the invocation, after so many attempts. */
  remainingMs?: (attempts: number) => number;
  /** What the error queue says to a forward. */
  errorQueueFails?: Error;
  hasErrorQueue?: boolean;
  /** The id of the message as the record is read; nothing when it cannot be read. */
  readId?: string | undefined;
  messageGroupId?: string;
  /** What comes of the commit of a message that is ignored. */
  ignore?: (() => Promise<void>) | undefined;
  onRetried?: () => void;
  outbox?: boolean;
  /** How long each attempt waits for its turn. */
  waitedMs?: number;
  /** How long each attempt takes. */
  attemptMs?: number;
  /** What each attempt does to what it gets. */
  meddle?: (message: { id: string; record: SQSRecord }) => void;
}

async function run({
  errors,
  receiveCount = 1,
  remainingMs = () => Number.POSITIVE_INFINITY,
  errorQueueFails,
  hasErrorQueue = true,
  messageGroupId,
  ignore,
  attemptMs = 0,
  onRetried = () => {},
  outbox = true,
  waitedMs = 0,
  meddle = () => {},
  ...more
}: Run) {
  const told: string[] = [];
  const problems: unknown[] = [];
  const sleepsMs: number[] = [];
  const forwards: { messageId: string; facts: FailureFacts }[] = [];
  const failing = record('Placed', {}, 'in-1');
  failing.attributes.ApproximateReceiveCount = String(receiveCount);
  if (messageGroupId !== undefined) failing.attributes.MessageGroupId = messageGroupId;
  const readId = 'readId' in more ? more.readId : 'in-1';
  const tell = (what: string) => (_failure: MessageFailure, more?: unknown) => {
    told.push(what);
    if (typeof more === 'object') problems.push(more);
  };
  let attempts = 0;
  let nowMs = Date.parse('2026-01-02T03:04:05.678Z');
  const failureHandling: FailureHandling = {
    immediateRetries: { maxRetries: 2, baseDelayMs: 50, maxDelayMs: 2000 },
    delayedRetries: { baseDelaySeconds: 10, maxDelaySeconds: 900 },
    policy: undefined,
    maxReceiveCount: 5,
    endpoint: 'orders',
    queueUrlOf: () => 'https://queues.test/orders',
    now: () => new Date(nowMs),
    sleep: async (durationMs) => void sleepsMs.push(durationMs),
    random: () => 0.5,
    log: {
      retried: async (failure, _delayMs, deadline) => {
        tell(await deadline.untilGiveUp(async () => 'retried'))(failure);
        onRetried();
      },
      returned: (failure) => tell(failure.error instanceof NotStarted ? 'not started' : 'returned')(failure),
      forwarded: tell('forwarded'),
      forwardFailed: tell('forward failed'),
      ignored: tell('ignored'),
      policyFailed: tell('policy failed'),
    },
    errorQueue: hasErrorQueue
      ? {
          forward: async (_record, messageId, facts) => {
            if (errorQueueFails) throw errorQueueFails;
            forwards.push({ messageId, facts });
          },
        }
      : undefined,
    ...more,
  };
  const margins = { startMs: 2000, abortMs: 1000, giveUpMs: 500 };
  const deadline = new InvocationDeadline(
    () => remainingMs(attempts),
    margins,
    () => () => {},
  );
  const outcome = await runDelivery(failing, {
    read: (read) => {
      if (readId === undefined)
        throw new SagaboxError('InvalidMessage', { messageId: 'in-1', messageType: '', issues: ['no JSON'] });
      return { ...readEnvelope(read), id: readId };
    },
    handle: async (message, { delivery }, signal) => {
      await delivery.takeTurn({ name: 'Order', id: '1' }, message.id, signal);
      attempts += 1;
      nowMs += attemptMs;
      delivery.ignore = ignore;
      delivery.waitedMs = waitedMs;
      meddle(message as never);
      if (errors.length > 0) throw errors.shift();
    },
    failureHandling,
    deadline,
    turns: new SagaTurns(),
    outbox,
  });
  return { outcome, attempts, told, problems, sleepsMs, forwards };
}

describe('a record', () => {
  it('that is handled is acknowledged', async () => {
    expect(await run({ errors: [] })).toMatchObject({ outcome: 'acknowledged', attempts: 1, told: [] });
  });

  it('is tried again at once, with growing delays', async () => {
    const { outcome, sleepsMs, told } = await run({ errors: [conflict(), conflict()] });
    expect({ outcome, sleepsMs, told }).toEqual({
      outcome: 'acknowledged',
      sleepsMs: [25, 50],
      told: ['retried', 'retried'],
    });
  });

  it('that fails beyond its retries is returned for a while', async () => {
    const { outcome, attempts, told } = await run({ errors: [conflict(), conflict(), conflict()] });
    expect({ outcome, attempts }).toEqual({ outcome: { retryInSeconds: 5 }, attempts: 3 });
    expect(told).toEqual(['retried', 'retried', 'returned']);
  });

  it('that only a bug keeps from being handled is returned at once', async () => {
    expect(await run({ errors: [new TypeError('a bug')] })).toMatchObject({
      outcome: { retryInSeconds: 5 },
      attempts: 1,
    });
  });

  it.each([
    [2025, 1],
    [2026, 2],
  ])('with %i ms left after a failure is tried %i times', async (leftMs, expected) => {
    const remainingMs = (attempts: number) => (attempts === 0 ? 30_000 : leftMs);
    expect((await run({ errors: [conflict()], remainingMs })).attempts).toBe(expected);
  });

  it.each([
    [9000, 10_025, 1],
    [9000, 10_026, 2],
  ])(
    'whose attempt took %i ms, with %i ms left, is tried %i times: another one would be cut off',
    async (attemptMs, leftMs, expected) => {
      const remainingMs = (attempts: number) => (attempts === 0 ? 30_000 : leftMs);
      expect((await run({ errors: [conflict()], remainingMs, attemptMs })).attempts).toBe(expected);
    },
  );

  it('is tried again when it has only waited for its turn', async () => {
    const remainingMs = (attempts: number) => (attempts === 0 ? 30_000 : 10_000);
    const { attempts } = await run({ errors: [conflict()], remainingMs, attemptMs: 9500, waitedMs: 9000 });
    expect(attempts).toBe(2);
  });

  it('is not tried again when the observer of its retry has taken the time', async () => {
    let isTold = false;
    const remainingMs = (attempts: number) => (attempts === 0 ? 30_000 : isTold ? 750 : 3000);
    const onRetried = () => {
      isTold = true;
    };
    const { attempts, told, sleepsMs } = await run({ errors: [conflict()], remainingMs, onRetried });
    expect({ attempts, told, sleepsMs }).toEqual({
      attempts: 1,
      told: ['retried', 'returned'],
      sleepsMs: [],
    });
  });

  it.each([
    [0, 1],
    [0.5, 3],
    [0.999, 5],
  ])('is not started without time, and returned for a moment (random %f: %i s)', async (random, seconds) => {
    let asked = 0;
    // The margins follow from the time that an invocation has at its beginning.
    const remainingMs = () => (asked++ === 0 ? 30_000 : 2000);
    const { outcome, attempts, told, forwards } = await run({
      errors: [],
      remainingMs,
      random: () => random,
    });
    expect(outcome).toEqual({ retryInSeconds: seconds });
    expect({ attempts, told, forwards }).toEqual({ attempts: 0, told: ['not started'], forwards: [] });
  });

  it('that finds no time behind another one of its saga is not started either', async () => {
    const { outcome, told } = await run({ errors: [notStarted()] });
    expect({ outcome, told }).toEqual({ outcome: { retryInSeconds: 3 }, told: ['not started'] });
  });

  it('that was not started is no failure for a policy', async () => {
    const policy = () => recoverability.ignore;
    expect(await run({ errors: [notStarted()], policy })).toMatchObject({ told: ['not started'] });
  });

  it.each([
    [4, 5, undefined],
    [5, 5, true],
    [5, undefined, undefined],
  ])(
    'that is returned at delivery %i of %p leaves its queue: %p',
    async (receiveCount, maxReceiveCount, leaves) => {
      for (const error of [new TypeError('a bug'), notStarted()]) {
        const { outcome } = await run({
          errors: [error],
          receiveCount,
          maxReceiveCount,
          hasErrorQueue: false,
        });
        expect(outcome).toHaveProperty('retryInSeconds');
        expect((outcome as Returned).leavesQueue).toBe(leaves);
      }
    },
  );
});

describe('the error queue', () => {
  it('gets what nothing can help, with what went wrong', async () => {
    const error = new UnrecoverableError('the card was stolen');
    const { outcome, forwards, told } = await run({ errors: [error], receiveCount: 2 });
    expect({ outcome, told }).toEqual({ outcome: 'acknowledged', told: ['forwarded'] });
    expect(forwards).toEqual([
      {
        messageId: 'in-1',
        facts: {
          endpoint: 'orders',
          queue: 'https://queues.test/orders',
          failedAt: '2026-01-02T03:04:05.678Z',
          code: 'Unrecoverable',
          message: 'the card was stolen',
          stack: error.stack,
          receiveCount: 2,
        },
      },
    ]);
  });

  it('gets a message under its id as it was read', async () => {
    const { forwards } = await run({ errors: [new UnrecoverableError('x')], readId: 'parsed-1' });
    expect(forwards).toMatchObject([{ messageId: 'parsed-1' }]);
  });

  it('gets one that cannot be read under the id of its record', async () => {
    const { forwards, attempts } = await run({ errors: [], readId: undefined });
    expect({ forwards, attempts }).toMatchObject({
      forwards: [{ messageId: 'in-1', facts: { code: 'InvalidMessage' } }],
      attempts: 0,
    });
  });

  it('gets the group of a message, and no endpoint where none is known', async () => {
    const errors = [new UnrecoverableError('x')];
    const { forwards } = await run({ errors, messageGroupId: 'tenant', endpoint: undefined });
    expect(forwards).toMatchObject([{ facts: { messageGroupId: 'tenant' } }]);
    expect(forwards[0]?.facts).not.toHaveProperty('endpoint');
  });

  it('gets the ARN of a queue whose URL is not known', async () => {
    const { forwards } = await run({ errors: [new UnrecoverableError('x')], queueUrlOf: () => undefined });
    expect(forwards[0]?.facts.queue).toMatch(/^arn:aws:sqs:/);
  });

  it.each([
    [4, 5, 'returned'],
    [5, 5, 'forwarded'],
    [6, 5, 'forwarded'],
    [9, undefined, 'returned'],
  ])('at delivery %i of %p: a bug is %s', async (receiveCount, maxReceiveCount, expected) => {
    const { told } = await run({ errors: [new TypeError('a bug')], receiveCount, maxReceiveCount });
    expect(told).toEqual([expected]);
  });

  it('gets what was not started at its last delivery, rather than the dead letter queue', async () => {
    const { outcome, told, forwards } = await run({ errors: [notStarted()], receiveCount: 5 });
    expect({ outcome, told }).toEqual({ outcome: 'acknowledged', told: ['forwarded'] });
    expect(forwards).toMatchObject([
      { messageId: 'in-1', facts: { code: 'InvocationTimeout', receiveCount: 5 } },
    ]);
  });

  it('that has no time either to take what was not started at its last delivery loses none', async () => {
    const errorQueueFails = new SagaboxError('ForwardFailed', { messageId: 'in-1', detail: 'no network' });
    const { outcome, told } = await run({ errors: [notStarted()], receiveCount: 5, errorQueueFails });
    expect(outcome).toEqual({ retryInSeconds: 3, leavesQueue: true });
    expect(told).toEqual(['forward failed', 'not started']);
  });

  it('gets the last delivery whatever a policy asks for that cannot be had any more', async () => {
    const { told } = await run({
      errors: [new Error('x')],
      receiveCount: 5,
      policy: () => recoverability.retryIn({ seconds: 60 }),
    });
    expect(told).toEqual(['forwarded']);
  });

  it.each([undefined, () => recoverability.errorQueue])(
    'that is not there leaves the way to the dead letter queue (policy: %p)',
    async (policy) => {
      const errors = [new UnrecoverableError('x')];
      expect(await run({ errors, hasErrorQueue: false, policy, receiveCount: 5 })).toMatchObject({
        outcome: { retryInSeconds: 80 },
        told: ['returned'],
      });
    },
  );

  it('that does not take a message loses none', async () => {
    const errorQueueFails = new SagaboxError('ForwardFailed', { messageId: 'in-1', detail: 'no network' });
    const { outcome, told, problems } = await run({ errors: [new UnrecoverableError('x')], errorQueueFails });
    expect(outcome).toMatchObject({ retryInSeconds: 5 });
    expect(told).toEqual(['forward failed', 'returned']);
    expect(problems).toEqual([errorQueueFails]);
  });
});

describe('a policy', () => {
  it('decides, by all that is known', async () => {
    const failures: MessageFailure[] = [];
    const policy = async (failure: MessageFailure) => {
      failures.push(failure);
      return failure.attempts < 3 ? recoverability.retryNow : recoverability.retryIn({ seconds: 0 });
    };
    const errors = [new TypeError('a bug'), conflict(), new TypeError('a bug')];
    const { outcome, sleepsMs } = await run({ errors: [...errors], policy, receiveCount: 3 });

    expect({ outcome, sleepsMs }).toEqual({ outcome: { retryInSeconds: 0 }, sleepsMs: [25, 50] });
    expect(failures).toMatchObject([
      {
        attempts: 1,
        saga: { name: 'Order', id: '1' },
        code: undefined,
        error: errors[0],
        receiveCount: 3,
        maxReceiveCount: 5,
      },
      { attempts: 2, code: 'SagaConcurrency', hasErrorQueue: true, message: { id: 'in-1', type: 'Placed' } },
      { attempts: 3 },
    ]);
  });

  it.each([true, false])('knows whether there is an error queue: %s', async (hasErrorQueue) => {
    const known: boolean[] = [];
    const policy = (failure: MessageFailure) => {
      known.push(failure.hasErrorQueue);
      return recoverability.ignore;
    };
    await run({ errors: [new Error('x')], policy, hasErrorQueue });
    expect(known).toEqual([hasErrorQueue]);
  });

  it('may ignore a failure', async () => {
    const ignore = async () => {};
    expect(
      await run({ errors: [new Error('x')], policy: () => recoverability.ignore, ignore }),
    ).toMatchObject({
      outcome: 'acknowledged',
      told: ['ignored'],
      forwards: [],
    });
  });

  it('that wants to try again, with no time left, gets the delayed retry', async () => {
    const remainingMs = (attempts: number) => (attempts === 0 ? 30_000 : 1500);
    const policy = () => recoverability.retryNow;
    expect(await run({ errors: [new Error('x')], policy, remainingMs })).toMatchObject({
      outcome: { retryInSeconds: 5 },
      told: ['returned'],
    });
  });

  const bug = new RangeError('a bug of the policy');

  it.each<[string, () => never, string, unknown]>([
    [
      'throws',
      () => {
        throw bug;
      },
      'it threw RangeError',
      bug,
    ],
    [
      'throws an error of sagabox',
      () => {
        throw notStarted();
      },
      'it threw InvocationTimeout',
      notStarted(),
    ],
    [
      'rejects',
      async () => {
        throw 'a text';
      },
      'it threw Unknown',
      'a text',
    ] as never,
    ['returns nothing', () => undefined as never, 'it returned no action', undefined],
    ['returns nonsense', () => 'later' as never, 'it returned no action', undefined],
    [
      'returns an impossible delay',
      () => recoverability.retryIn({ seconds: 1e6 }) as never,
      'it returned a delay of 1000000 seconds',
      undefined,
    ],
  ])('that %s is told of, and the default decides', async (_case, policy, problem, cause) => {
    const { outcome, told, problems } = await run({ errors: [new UnrecoverableError('x')], policy });
    expect({ outcome, told }).toEqual({ outcome: 'acknowledged', told: ['policy failed', 'forwarded'] });
    expect(problems).toMatchObject([
      { code: 'Configuration', facts: { setting: 'recoverability.policy', problem } },
    ]);
    expect((problems[0] as Error).cause).toEqual(cause);
  });
});

describe('a policy that ignores a message', () => {
  const policy = () => recoverability.ignore;
  const duplicate = new SagaboxError('DuplicateMessage', { endpoint: 'orders', messageId: 'in-1' });

  it.each([
    [true, 'in-1', ['policy failed', 'returned']],
    [true, undefined, ['ignored']],
    [false, 'in-1', ['ignored']],
  ])(
    'that failed before the outbox of its handler (%s) could look at it, and is read as %p',
    async (outbox, readId, expected) => {
      const { told } = await run({ errors: [new Error('x')], policy, outbox, readId });
      expect(told).toEqual(expected);
    },
  );

  it('that has the id of another one leaves the record of that as it is', async () => {
    const error = new SagaboxError('MessageIdReused', {
      endpoint: 'orders',
      messageId: 'in-1',
      messageType: 'Placed',
    });
    const ignore = () => Promise.reject(duplicate);
    expect((await run({ errors: [error], policy, ignore })).told).toEqual(['ignored']);
  });

  it('has that stored before the message is acknowledged', async () => {
    const stored: string[] = [];
    const ignore = async () => void stored.push('stored');
    const { outcome, told } = await run({ errors: [new Error('x')], policy, ignore });
    expect({ outcome, told, stored }).toEqual({
      outcome: 'acknowledged',
      told: ['ignored'],
      stored: ['stored'],
    });
  });

  it.each<[Error, string]>([
    [duplicate, 'it ignores a message that is committed'],
    [new RangeError('no network'), 'that it ignores the message could not be stored: RangeError'],
  ])('is not obeyed when that is refused: %s', async (error, problem) => {
    const ignore = async () => {
      throw error;
    };
    const { outcome, told, problems } = await run({ errors: [new Error('x')], policy, ignore });
    expect(outcome).toMatchObject({ retryInSeconds: 5 });
    expect(told).toEqual(['policy failed', 'returned']);
    expect(problems).toMatchObject([{ code: 'Configuration', facts: { problem } }]);
  });
});

describe('a record that is returned', () => {
  const bug = new TypeError('a bug');
  const notConfigured = new NotConfigured('Configuration', {
    setting: 'endpoint',
    problem: 'x',
    remedy: 'y',
  });

  it.each<[string, Partial<Run>, unknown]>([
    ['a bug', { errors: [bug] }, bug],
    ['a conflict', { errors: [conflict(), conflict(), conflict()] }, undefined],
    ['too little time', { errors: [notStarted()] }, undefined],
    [
      'the wait of a policy',
      { errors: [bug], policy: () => recoverability.retryIn({ seconds: 60 }) },
      undefined,
    ],
    [
      'a policy that wants to try again without time',
      { errors: [bug], policy: () => recoverability.retryNow, remainingMs: (done) => (done ? 100 : 30_000) },
      bug,
    ],
    ['what is missing in the environment', { errors: [notConfigured] }, notConfigured],
  ])('for %s tells whether it may be an outage', async (_what, how, failure) => {
    const { outcome } = await run({ errors: [], ...how });
    expect((outcome as Returned).failure).toBe(failure);
  });

  it('for what is missing in the environment asks no policy, and takes its way to the dead letter queue', async () => {
    const policy = () => recoverability.ignore;
    const { told, outcome } = await run({ errors: [notConfigured], policy, receiveCount: 5 });
    expect(told).toEqual(['returned']);
    expect(outcome).toMatchObject({ leavesQueue: true });
  });
});

it.each([() => recoverability.retryIn({ seconds: 1 }), undefined])(
  'what a handler does to its message reaches nobody else (policy: %p)',
  async (decide) => {
    const failures: MessageFailure[] = [];
    const policy =
      decide &&
      ((failure: MessageFailure) => {
        failures.push(structuredClone({ ...failure, error: undefined }));
        Object.assign(failure.record, { messageId: 'evil' });
        Object.assign(failure.message as object, { id: 'evil' });
        return recoverability.errorQueue;
      });
    const meddle = (message: { id: string; record: SQSRecord }) => {
      message.id = 'evil';
      message.record.messageId = 'evil';
      message.record.attributes.ApproximateReceiveCount = '99';
      delete message.record.messageAttributes['Sagabox.MessageId'];
    };
    const { forwards } = await run({ errors: [new UnrecoverableError('x')], meddle, policy });
    expect(forwards).toMatchObject([{ messageId: 'in-1', facts: { receiveCount: 1 } }]);
    if (policy)
      expect(failures).toMatchObject([
        { message: { id: 'in-1' }, record: { attributes: { ApproximateReceiveCount: '1' } } },
      ]);
  },
);
