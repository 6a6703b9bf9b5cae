import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../lib/attempt/delivery.ts';
import { type Reporter, report, reportEvent } from '../../lib/attempt/report.ts';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import type { MessageLogger } from '../../lib/messages/logger.ts';
import type { FlowEvent } from '../../lib/observe/flow-event.ts';
import type { FlowHooks, MessageReport } from '../../lib/observe/hooks.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { attemptAt, newDelivery } from '../support/attempts.ts';
import { messageFacts, sagaFacts } from '../support/message-facts.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { record } from '../support/queue.ts';

let clock: MovingClock;
let counted: unknown[];
let reports: MessageReport[];
let logged: unknown[];
let logger: MessageLogger;

beforeEach(() => {
  clock = new MovingClock();
  [counted, reports, logged] = [[], [], []];
  logger = { ...silentLogger, error: (message, facts) => void logged.push([message, facts?.error]) };
});

const metrics = { addMetric: (...metric: unknown[]) => void counted.push(metric) };
const onMessage = (told: MessageReport) => void reports.push(told);

function attemptWith(hooks: FlowHooks, delivery?: Delivery) {
  const flow = { endpoint: 'orders', hooks, logger, ports: { clock } };
  return attemptAt(flow as never, readEnvelope(record('Placed', {}, 'm1')), delivery && { delivery });
}

const event: FlowEvent = { type: 'retry', attempts: 1, delayMs: 7, error: undefined, ...messageFacts };

const reporter = (): Reporter => ({ logger, delivery: newDelivery() });

describe('the end of an attempt', () => {
  it.each([
    ['handled', 'MessagesHandled'],
    ['duplicate', 'MessagesDuplicate'],
    ['redispatched', 'MessagesRedispatched'],
    ['discarded', 'MessagesDiscarded'],
    ['failed', 'MessagesFailed'],
  ] as const)('is counted, with its duration: %s', async (outcome, name) => {
    const attempt = attemptWith({ metrics });
    clock.pass(42);
    await report(attempt, outcome);
    expect(counted).toEqual([
      [name, 'Count', 1],
      ['MessageDuration', 'Milliseconds', 42],
    ]);
    expect(logged).toEqual([]);
  });

  it('is counted as a failed compensation too, when its code says so', async () => {
    const facts = {
      sagaName: 'Trip',
      sagaId: '7',
      step: 'flight',
      command: 'Cancel',
      attempt: 1,
      reason: 'declined' as const,
    };
    await report(
      attemptWith({ metrics }),
      'failed',
      undefined,
      new SagaboxError('CompensationFailed', facts),
    );
    expect(counted).toEqual([
      ['MessagesFailed', 'Count', 1],
      ['MessageDuration', 'Milliseconds', 0],
      ['CompensationsFailed', 'Count', 1],
    ]);
    await report(attemptWith({ metrics }), 'failed', undefined, new Error('a bug'));
    expect(counted).toHaveLength(5);
  });

  it('is told with what this attempt consumed, and what all of the delivery did', async () => {
    const delivery = newDelivery();
    attemptWith({}, delivery).meter.addWrite(3);
    const attempt = attemptWith({ onMessage }, delivery);
    attempt.meter.addRead(1);
    await report(attempt, 'handled', { name: 'Order', id: '7' });
    expect(reports).toEqual([
      {
        ...sagaFacts,
        outcome: 'handled',
        capacity: { readUnits: 1, writeUnits: 0 },
        deliveryCapacity: { readUnits: 1, writeUnits: 3 },
        durationMs: 0,
      },
    ]);
    expect(counted).toEqual([]);
  });

  it('is told with its error, when there is one', async () => {
    await report(attemptWith({ onMessage }), 'failed', undefined, new Error('a bug'));
    await report(attemptWith({ onMessage }), 'failed', undefined, null);
    await report(attemptWith({ onMessage }), 'handled');
    expect(reports.map((told) => 'error' in told && told.error)).toEqual([new Error('a bug'), null, false]);
  });

  it('is waited for to be told', async () => {
    const told = Promise.withResolvers<void>();
    const reporting = report(attemptWith({ onMessage: () => told.promise }), 'handled');
    const first = await Promise.race([reporting, new Promise((resolve) => setImmediate(resolve, 'waits'))]);
    expect(first).toBe('waits');
    told.resolve();
    await reporting;
  });

  it('concerns nobody where nobody listens, as an event on the way', async () => {
    await report(attemptWith({}), 'handled');
    await reportEvent({}, reporter(), event);
    expect([counted, logged]).toEqual([[], []]);
  });
});

describe('an event on the way', () => {
  it('is counted and told', async () => {
    const events: FlowEvent[] = [];
    await reportEvent({ metrics, onEvent: (told) => void events.push(told) }, reporter(), event);
    expect(counted).toEqual([['MessageRetries', 'Count', 1]]);
    expect(events).toEqual([event]);
  });
});

describe('the logger of an observer', () => {
  let lines: unknown[];
  beforeEach(() => {
    lines = [];
    logger = { ...silentLogger, info: (...line) => void lines.push(line) };
  });

  it('tells message and saga in each line about the end of an attempt', async () => {
    const tell: FlowHooks['onMessage'] = ({ outcome }, own) => own.logger.info('ended', { outcome });
    await report(attemptWith({ onMessage: tell }), 'handled', { name: 'Order', id: '7' });
    expect(lines).toEqual([['ended', { ...sagaFacts, outcome: 'handled' }]]);
  });

  it.each([[messageFacts], [sagaFacts]])(
    'tells what is known in each line about an event: %j',
    async (facts) => {
      const tell: FlowHooks['onEvent'] = ({ type }, own) => own.logger.info('on the way', { type });
      await reportEvent({ onEvent: tell }, reporter(), { ...event, ...facts });
      expect(lines).toEqual([['on the way', { ...facts, type: 'retry' }]]);
    },
  );
});

describe('an observer that fails', () => {
  const failing = () => Promise.reject(new Error('away'));
  const addMetric = () => {
    throw new Error('away');
  };
  const told = { name: 'Error', message: 'away', stack: expect.any(String) };
  const failure = ['An observer failed: onMessage, onEvent or metrics', told];

  it.each<[string, FlowHooks]>([
    ['onMessage', { onMessage: failing }],
    ['metrics', { metrics: { addMetric } }],
  ])('changes nothing for the message, and is logged: %s', async (_name, hooks) => {
    await report(attemptWith(hooks), 'handled');
    expect(logged).toEqual([failure]);
  });

  it('changes nothing on the way either', async () => {
    await reportEvent({ onEvent: failing }, reporter(), event);
    expect(logged).toEqual([failure]);
  });
});
