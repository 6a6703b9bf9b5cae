import { expect, it } from '@jest/globals';
import { eventBytes, eventDetail } from '../../../lib/messages/wire-format/event-detail.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

it('the size of an event is that of its time, source, type and detail, in bytes', () => {
  const message = outgoingMessage({ type: 'Żółw', body: { text: 'ż' } });
  const detail = JSON.stringify(eventDetail(message));
  const detailBytes = Buffer.byteLength(detail);
  expect(detailBytes).toBeGreaterThan(detail.length);
  expect(eventBytes(message, 'sagabox.ż')).toBe(14 + 'sagabox.'.length + 2 + 7 + detailBytes);
});
