import { expect } from '@jest/globals';
import { defineSaga, type SagaHandlerContext } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import type { AnyRecord } from '../hostile-records.ts';
import { expectNothingLost } from '../ledger-checks.ts';
import { ledgerSaga, userWrite } from '../ledger-saga.ts';
import { type BatchOutcome, memoryEndpoint } from '../memory-endpoint.ts';

type Context = SagaHandlerContext<{ handled: string[]; [name: string]: unknown }>;

/** A saga whose code is given, and a record for it. */
export function subjectOf(
  run: (context: Context) => unknown,
  correlate: () => unknown = () => 'odd',
  validate = (value: unknown): unknown => value,
) {
  const saga = defineSaga({
    name: 'Odd',
    messages: { PendingRequest: z.unknown().transform(validate) },
    correlate: { PendingRequest: correlate as () => string },
    startedBy: ['PendingRequest'],
    initialState: (): { handled: string[]; [name: string]: unknown } => ({ handled: [] }),
    handlers: {
      async PendingRequest({ id }, context) {
        context.saga.state.handled.push(id);
        context.transaction.add(userWrite(id));
        await run(context);
        context.send('billing', 'Charge', { trace: id });
      },
    },
  });
  return memoryEndpoint([saga, ledgerSaga], { maxReceiveCount: 3, publishTo: 'billing' });
}

export const asked = (id: string): AnyRecord => ({
  ...sqsRecord({
    type: 'PendingRequest',
    id,
    sqsMessageId: `sqs-${id}`,
    body: {},
    headers: { 'Sagabox.ReplyTo': 'billing' },
  }),
});
const good: AnyRecord = {
  ...sqsRecord({ type: 'Counted', id: 'good', sqsMessageId: 'sqs-good', body: { counter: 'good', note: 1 } }),
};

/** Delivers a message to code that may do anything, beside one that nothing is wrong with. */
export async function deliverTo(endpoint: ReturnType<typeof subjectOf>, ids: readonly string[] = ['m-1']) {
  const records = [...ids.map(asked), good];
  const outcome = await endpoint.deliver(records);
  expect(outcome.returned).not.toContain('sqs-good');
  expect(endpoint.states()).toContainEqual({ handled: ['good'], last: 1 });
  expectNothingLost(records, outcome, endpoint);
  return outcome;
}

/** Whether all that the handler of the message wanted was committed. */
export function isDone({ reports }: BatchOutcome, messageId = 'm-1'): boolean {
  return reports.some((report) => report.messageId === messageId && report.outcome !== 'failed');
}
