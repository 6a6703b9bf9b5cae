import { describe, expect, it } from '@jest/globals';
import { wireAttributes, wireBytes } from '../../../lib/messages/wire-format/wire.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const own = { 'Sagabox.CausationId': 'in-1', traceparent: '00-a-b-01' };
const ofUser = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`user-${index}`, 'x']));

describe('the attributes of a message', () => {
  it('stand by themselves while there is room for them', () => {
    const message = outgoingMessage({ headers: { ...own, ...ofUser(6) } });
    expect(wireAttributes(message)).toEqual({
      ...own,
      ...ofUser(6),
      'Sagabox.MessageId': 'out-1',
      'Sagabox.MessageType': 'ChargeCard',
    });
  });

  it('of sagabox and of the trace share one where there is none; readers without sagabox find the others', () => {
    const message = outgoingMessage({ headers: { ...own, ...ofUser(7) } });
    const { 'Sagabox.Headers': folded = '', ...others } = wireAttributes(message);
    expect(others).toEqual({
      ...ofUser(7),
      'Sagabox.MessageId': 'out-1',
      'Sagabox.MessageType': 'ChargeCard',
    });
    expect(JSON.parse(folded)).toEqual(own);
  });

  it('count with their data types', () => {
    const message = outgoingMessage({ headers: {}, body: 'é' });
    const attributes = [
      ['Sagabox.MessageId', 'out-1'],
      ['Sagabox.MessageType', 'ChargeCard'],
    ];
    const bytes = attributes.flat().join('').length + 2 * 'String'.length;
    expect(wireBytes(message)).toBe(4 + bytes);
  });
});
