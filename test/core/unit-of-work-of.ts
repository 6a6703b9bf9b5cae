import { sqsRecord } from 'sagabox/testing';
import { parseDestinations } from '../../lib/core/destination.ts';
import { readEnvelope } from '../../lib/core/envelope.ts';
import { SagaboxError } from '../../lib/core/errors.ts';
import type { OutgoingMessage } from '../../lib/core/message.ts';
import { UnitOfWork } from '../../lib/core/unit-of-work.ts';

/** The work of the 'orders' endpoint on message 'in-1'. */
export function unitOfWork(headers: Record<string, string> = { 'Sagabox.ReplyTo': 'billing' }): UnitOfWork {
  return new UnitOfWork({
    message: readEnvelope(sqsRecord({ id: 'in-1', type: 'OrderPlaced', headers })),
    endpoint: 'orders',
    destinations: parseDestinations(
      {
        orders: 'https://queues.test/orders',
        billing: 'https://queues.test/billing',
        ledger: 'https://queues.test/ledger.fifo',
      },
      'test',
    ),
    now: new Date('2026-01-02T03:04:05.678Z'),
  });
}

export function lastOf({ outgoing }: UnitOfWork): OutgoingMessage {
  const message = outgoing.at(-1);
  if (message === undefined) throw new Error('Nothing was sent');
  return message;
}

/** The SagaboxError that a call throws. */
export function refusalOf(call: () => unknown): SagaboxError {
  try {
    call();
  } catch (error) {
    if (error instanceof SagaboxError) return error;
    throw error;
  }
  throw new Error('It was to be refused, and was not');
}
