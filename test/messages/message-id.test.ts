import { describe, expect, it } from '@jest/globals';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';

describe('outgoingMessageId', () => {
  it('stays what it is: receivers know these ids', () => {
    expect(outgoingMessageId('in-1', 'orders', 0)).toBe('facb25b9-a217-862f-a798-c4ac0c6d3149');
    expect(outgoingMessageId('in-1', 'orders', 1)).toBe('a4554891-6ef6-8dc9-913d-984a4d3ede00');
  });

  it('is another one for another message, endpoint or place', () => {
    const ids = [
      outgoingMessageId('in-1', 'orders', 0),
      outgoingMessageId('in-2', 'orders', 0),
      outgoingMessageId('in-1', 'Orders', 0),
      outgoingMessageId('in-1', 'orders', 1),
      outgoingMessageId('in-1","orders', 'x', 0),
      outgoingMessageId('in-1', 'orders","x', 0),
      outgoingMessageId('', 'orders', 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is a version 8 UUID by RFC 9562', () => {
    for (let ordinal = 0; ordinal < 200; ordinal += 1) {
      expect(outgoingMessageId(`in-${ordinal}`, 'orders', ordinal)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });
});
