import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHandler, defineHandlers } from 'sagabox';
import { sqsEvent } from 'sagabox/testing';
import { object } from 'valibot';
import { startSystemTimer, systemClock } from '../../lib/compose/system-clock.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { memoryPorts } from '../support/memory-flow.ts';

let warnings: string[];
const note = ({ name }: Error) => void warnings.push(name);

beforeEach(() => {
  warnings = [];
  process.on('warning', note);
});

afterEach(() => void process.off('warning', note));

/** Longer than a timer of Node can be, which would call back at once, with a warning. */
const tooLong = [2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY];

describe.each(tooLong)('with %d ms', (durationMs) => {
  it('a sleep goes on until it is aborted', async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(durationMs, controller.signal).then(() => 'awake');
    const first = await Promise.race([sleeping, new Promise(setImmediate).then(() => 'asleep')]);
    controller.abort();
    expect([first, await sleeping, warnings]).toEqual(['asleep', 'awake', []]);
  });

  it('a timer does not call back', async () => {
    const cancel = startSystemTimer(durationMs, () => warnings.push('called back'));
    await new Promise(setImmediate);
    cancel();
    expect(warnings).toEqual([]);
  });

  it('left of an invocation, messages are handled', async () => {
    const { ports } = memoryPorts();
    const definition = defineHandlers({
      messages: { Paid: object({}) },
      handlers: { Paid: async () => await new Promise((resolve) => setImmediate(resolve)) },
    });
    const outcomes: unknown[] = [];
    const handler = createHandler(definition, {
      endpoint: 'orders',
      ports,
      logger: silentLogger,
      onMessage: ({ outcome, error }) => void outcomes.push(error ?? outcome),
    });
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => durationMs };
    const event = sqsEvent([{ type: 'Paid' }, { type: 'Paid' }]);
    expect(await handler(event, context)).toEqual({ batchItemFailures: [] });
    expect([outcomes, warnings]).toEqual([['handled', 'handled'], []]);
  });
});
