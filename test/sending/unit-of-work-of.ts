import { expect } from '@jest/globals';
import { sqsRecord } from 'sagabox/testing';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { isCancellation, type OutgoingMessage } from '../../lib/messages/message.ts';
import type { Sending } from '../../lib/sending/sending.ts';
import { UnitOfWork, type UnitOfWorkOrigin } from '../../lib/sending/unit-of-work.ts';
import { refusalOf } from '../support/error-of.ts';
import { sendingTo } from '../support/sending.ts';

export { refusalOf };

/** As an outgoing message that cannot be sent. */
export function refuses(call: () => unknown, detail: string | RegExp): void {
  const error = refusalOf(call);
  expect(error.code).toBe('InvalidOutgoingMessage');
  expect(error.message).toMatch(detail);
}

/** The work of the 'orders' endpoint on message 'in-1'. */
export function unitOfWork(
  headers: Record<string, string> = { 'Sagabox.ReplyTo': 'billing' },
  origin: Partial<Omit<UnitOfWorkOrigin, 'sending'>> & { sending?: Partial<Sending> } = {},
): UnitOfWork {
  const { sending, ...others } = origin;
  return new UnitOfWork({
    message: readEnvelope(sqsRecord({ id: 'in-1', type: 'OrderPlaced', headers })),
    endpoint: 'orders',
    sending: sendingTo(
      {
        orders: 'https://queues.test/orders',
        billing: { address: 'https://queues.test/billing', maxMessageSizeBytes: 1024 * 1024 },
        ledger: 'https://queues.test/ledger.fifo',
        topic: 'arn:aws:sns:eu-west-1:123456789012:prices',
        'fifo-topic': 'arn:aws:sns:eu-west-1:123456789012:prices.fifo',
        bus: 'arn:aws:events:eu-west-1:123456789012:event-bus/shop',
      },
      sending,
    ),
    dispatchNow: async () => {},
    now: new Date('2026-01-02T03:04:05.678Z'),
    ...others,
  });
}

export function lastOf({ operations }: UnitOfWork): OutgoingMessage {
  const message = operations.at(-1);
  if (message === undefined || isCancellation(message)) throw new Error('Nothing was sent');
  return message;
}
