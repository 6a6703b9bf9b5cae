import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type Flow, startAttempt } from '../../lib/attempt/attempt.ts';
import type { Returned } from '../../lib/attempt/delivery-outcome.ts';
import { InvocationDeadline, NotStarted } from '../../lib/attempt/invocation-deadline.ts';
import { SagaQueues } from '../../lib/attempt/saga-queue/saga-queue.ts';
import { SagaboxError, UnrecoverableError } from '../../lib/kernel/errors/errors.ts';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import type { FailureFacts } from '../../lib/messages/failures/failure-facts.ts';
import { runDelivery } from '../../lib/pipeline/run-delivery.ts';
import type { FailureHandling } from '../../lib/recoverability/handle-failure.ts';
import { type MessageFailure, NotConfigured, recoverability } from '../../lib/recoverability/policy.ts';
import { type BatchDelivery, takeTurn } from '../support/attempts.ts';
import { MemoryFlow } from '../support/memory-flow.ts';
import { record } from '../support/queue.ts';

const conflict = () =>
  new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '1', operation: 'update' });

const notStarted = () => new NotStarted('InvocationTimeout', { messageId: 'in-1', remainingTimeMs: 5 });

const bug = new TypeError('a bug');
const ignoring = () => recoverability.ignore;

interface Run extends Partial<FailureHandling> {
  /** What the attempts throw, one after another; after them they succeed. */
  errors: unknown[];
  receiveCount?: number;
  /** Of the invocation, after so many attempts. */
  remainingMs?: (attempts: number) => number;
  /** What the error queue says to a forward. */
  errorQueueFails?: Error;
  hasErrorQueue?: boolean;
  /** The id of the message as the record is read; undefined if it cannot be read. */
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
  let waitingMs = 0;
  const wait = async () => {
    await Promise.resolve();
    waitingMs = waitedMs;
  };
  let nowMs = Date.parse('2026-01-02T03:04:05.678Z');
  const failureHandling: FailureHandling = {
    immediateRetries: { maxRetries: 2, baseDelayMs: 50, maxDelayMs: 2000 },
    delayedRetries: { baseDelaySeconds: 10, maxDelaySeconds: 900 },
    policy: undefined,
    maxReceiveCount: 5,
    endpoint: 'orders',
    queueUrlOf: () => 'https://queues.test/orders',
    setsDelayOf: () => true,
    now: () => new Date(nowMs),
    sleep: async (durationMs) => void sleepsMs.push(durationMs),
    random: () => 0.5,
    log: {
      retried: async (failure, _delayMs, { deadline }) => {
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
    () => remainingMs(attempts) - waitingMs,
    margins,
    () => () => {},
  );
  const outcome = await runDelivery(failing, {
    read: (read) => {
      if (readId === undefined)
        throw new SagaboxError('InvalidMessage', { messageId: 'in-1', messageType: '', issues: ['no JSON'] });
      return { ...readEnvelope(read), id: readId };
    },
    handle: async (message, state, signal) => {
      const { delivery } = state;
      await takeTurn(delivery as BatchDelivery, { name: 'Order', id: '1' }, message.id, signal);
      attempts += 1;
      nowMs += attemptMs;
      if (ignore) state.hold(startAttempt(flowThatCommits(ignore), message, { delivery, signal }));
      await delivery.batch?.waitFor(wait(), signal);
      waitingMs = 0;
      meddle(message as never);
      if (errors.length > 0) throw errors.shift();
    },
    failureHandling,
    deadline,
    queues: new SagaQueues(),
    outbox,
  });
  return { outcome, attempts, told, problems, sleepsMs, forwards };
}

function flowThatCommits(commit: () => Promise<void>): Flow {
  const { flow } = new MemoryFlow();
  const committer = Object.assign(Object.create(flow.ports.committer), { commit });
  return { ...flow, ports: { ...flow.ports, committer } };
}

/** Of an invocation of 30 s, after its first attempt. */
const left = (leftMs: number) => (attempts: number) => (attempts === 0 ? 30_000 : leftMs);

describe('a delivery', () => {
  it.each([
    ['is handled', [], 'acknowledged', [], []],
    [
      'fails and is then handled, after growing delays',
      [conflict(), conflict()],
      'acknowledged',
      ['retried', 'retried'],
      [25, 50],
    ],
    [
      'fails beyond its retries',
      [conflict(), conflict(), conflict()],
      { retryInSeconds: 5 },
      ['retried', 'retried', 'returned'],
      [25, 50],
    ],
  ])('that %s ends so', async (_how, errors, outcome, told, sleepsMs) => {
    expect(await run({ errors: [...errors] })).toMatchObject({
      outcome,
      told,
      sleepsMs,
      attempts: Math.min(3, errors.length + 1),
    });
  });

  it('that only a bug keeps from being handled is returned at once', async () => {
    const returned = { outcome: { retryInSeconds: 5 }, attempts: 1 };
    expect(await run({ errors: [bug] })).toMatchObject(returned);
  });

  it.each([
    ['too little time left', 2025, {}, 1],
    ['time left', 2026, {}, 2],
    ['too little time left for a second attempt of 9 s', 10_025, { attemptMs: 9000 }, 1],
    ['time left for a second attempt of 9 s', 10_026, { attemptMs: 9000 }, 2],
    ['time left, as it mostly waited for its turn', 10_000, { attemptMs: 9500, waitedMs: 9000 }, 2],
  ])('that fails with %s (%i ms) is attempted so often', async (_what, leftMs, costs, attempts) => {
    expect(await run({ errors: [conflict()], remainingMs: left(leftMs), ...costs })).toMatchObject({
      attempts,
    });
  });

  it('is not tried again when the observer of its retry has taken the time', async () => {
    let isTold = false;
    const remainingMs = (attempts: number) => left(isTold ? 750 : 3000)(attempts);
    const onRetried = () => {
      isTold = true;
    };
    const returned = { attempts: 1, told: ['retried', 'returned'], sleepsMs: [] };
    expect(await run({ errors: [conflict()], remainingMs, onRetried })).toMatchObject(returned);
  });

  it.each([
    [0, 1],
    [0.5, 3],
    [0.999, 5],
  ])('is not started without time, and returned for a moment (random %f: %i s)', async (random, seconds) => {
    let asked = 0;
    // The margins follow from the time that an invocation has at its beginning.
    const remainingMs = () => (asked++ === 0 ? 30_000 : 2000);
    const { outcome, ...more } = await run({ errors: [], remainingMs, random: () => random });
    expect(outcome).toEqual({ retryInSeconds: seconds });
    expect(more).toMatchObject({ attempts: 0, told: ['not started'], forwards: [] });
  });

  it.each([undefined, ignoring])(
    'that finds no time behind another one of its saga is not started, and no policy is asked: %p',
    async (policy) => {
      const { outcome, told } = await run({ errors: [notStarted()], policy });
      expect({ outcome, told }).toEqual({ outcome: { retryInSeconds: 3 }, told: ['not started'] });
    },
  );

  it.each([
    [4, 5, 'stays in its queue'],
    [5, 5, 'leaves its queue'],
    [6, 5, 'leaves its queue'],
    [1000, undefined, 'stays in its queue'],
  ])('that is returned at delivery %i of %p %s', async (receiveCount, maxReceiveCount, what) => {
    const leaves = what === 'leaves its queue' ? true : undefined;
    for (const error of [bug, notStarted()]) {
      const counts = { receiveCount, maxReceiveCount };
      const { outcome } = await run({ errors: [error], hasErrorQueue: false, ...counts });
      expect(outcome).toHaveProperty('retryInSeconds');
      expect((outcome as Returned).leavesQueue).toBe(leaves);
    }
  });
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

  it('gets a message under its id as it was read, else under the id of its record', async () => {
    const read = await run({ errors: [new UnrecoverableError('x')], readId: 'parsed-1' });
    expect(read.forwards).toMatchObject([{ messageId: 'parsed-1' }]);
    const { forwards, attempts } = await run({ errors: [], readId: undefined });
    expect(forwards).toMatchObject([{ messageId: 'in-1', facts: { code: 'InvalidMessage' } }]);
    expect(attempts).toBe(0);
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
    expect((await run({ errors: [bug], receiveCount, maxReceiveCount })).told).toEqual([expected]);
  });

  const errorQueueFails = new SagaboxError('ForwardFailed', { messageId: 'in-1', detail: 'no network' });

  it('gets what was not started at its last delivery, rather than the dead letter queue', async () => {
    const facts = { code: 'InvocationTimeout', receiveCount: 5 };
    expect(await run({ errors: [notStarted()], receiveCount: 5 })).toMatchObject({
      outcome: 'acknowledged',
      told: ['forwarded'],
      forwards: [{ messageId: 'in-1', facts }],
    });
  });

  it('that does not take what was not started at its last delivery loses none', async () => {
    const { outcome, told } = await run({ errors: [notStarted()], receiveCount: 5, errorQueueFails });
    expect(outcome).toEqual({ retryInSeconds: 3, leavesQueue: true });
    expect(told).toEqual(['forward failed', 'not started']);
  });

  it('gets the last delivery whatever a policy asks for that cannot be had any more', async () => {
    const policy = () => recoverability.retryIn({ seconds: 60 });
    const { told } = await run({ errors: [bug], receiveCount: 5, policy });
    expect(told).toEqual(['forwarded']);
  });

  it('gets what no retry can help, if the policy leaves that to the default one', async () => {
    const errors = [new UnrecoverableError('x')];
    const { told } = await run({ errors, policy: () => recoverability.byDefault });
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
    const errors = [bug, conflict(), bug];
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

  it.each(['an error queue', 'no error queue'])('knows that there is %s', async (what) => {
    const hasErrorQueue = what === 'an error queue';
    const known: boolean[] = [];
    const policy = (failure: MessageFailure) => {
      known.push(failure.hasErrorQueue);
      return recoverability.ignore;
    };
    await run({ errors: [bug], policy, hasErrorQueue });
    expect(known).toEqual([hasErrorQueue]);
  });

  it('that wants to try again, with no time left, gets the delayed retry', async () => {
    const policy = () => recoverability.retryNow;
    const returned = { outcome: { retryInSeconds: 5 }, told: ['returned'] };
    expect(await run({ errors: [bug], policy, remainingMs: left(1500) })).toMatchObject(returned);
  });

  const throwing = (thrown: unknown) => () => {
    throw thrown;
  };
  const policyBug = new RangeError('a bug of the policy');

  it.each<[string, () => never, string, unknown]>([
    ['throws', throwing(policyBug), 'it threw RangeError', policyBug],
    ['throws an error of sagabox', throwing(notStarted()), 'it threw InvocationTimeout', notStarted()],
    ['rejects', (async () => throwing('a string')()) as never, 'it threw Unknown', 'a string'],
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
  const policy = ignoring;
  const duplicate = new SagaboxError('DuplicateMessage', { endpoint: 'orders', messageId: 'in-1' });

  it.each([
    [true, 'in-1', ['policy failed', 'returned']],
    [true, undefined, ['ignored']],
    [false, 'in-1', ['ignored']],
  ])(
    'that failed before the outbox of its handler (%s) could look at it, and is read as %p',
    async (outbox, readId, expected) => {
      const { told } = await run({ errors: [bug], policy, outbox, readId });
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
    let stored = 0;
    const ignore = async () => {
      stored += 1;
    };
    const ignored = { outcome: 'acknowledged', told: ['ignored'], forwards: [] };
    expect(await run({ errors: [bug], policy, ignore })).toMatchObject(ignored);
    expect(stored).toBe(1);
  });

  it.each<[Error, string]>([
    [duplicate, 'it ignores a message that is committed'],
    [new RangeError('no network'), 'that it ignores the message could not be stored: RangeError'],
  ])('is not obeyed when that is refused: %s', async (error, problem) => {
    const ignore = () => Promise.reject(error);
    const { outcome, told, problems } = await run({ errors: [bug], policy, ignore });
    expect(outcome).toMatchObject({ retryInSeconds: 5 });
    expect(told).toEqual(['policy failed', 'returned']);
    expect(problems).toMatchObject([{ code: 'Configuration', facts: { problem } }]);
  });
});

describe('a message that is returned', () => {
  const facts = { setting: 'endpoint', problem: 'x', remedy: 'y' };
  const notConfigured = new NotConfigured('Configuration', facts);

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
      { errors: [bug], policy: () => recoverability.retryNow, remainingMs: left(100) },
      bug,
    ],
    ['what is missing in the environment', { errors: [notConfigured] }, notConfigured],
  ])('for %s tells whether it may be an outage', async (_what, how, failure) => {
    const { outcome } = await run({ errors: [], ...how });
    expect((outcome as Returned).failure).toBe(failure);
  });

  it('for what is missing in the environment asks no policy, and takes its way to the dead letter queue', async () => {
    const { told, outcome } = await run({ errors: [notConfigured], policy: ignoring, receiveCount: 5 });
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
