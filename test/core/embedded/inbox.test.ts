import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INBOX_ENTRY_BYTES, Inbox, isOfOtherType } from '../../../lib/core/embedded/inbox.ts';
import { messageHash, pendingKey } from '../../../lib/core/embedded/message-hash.ts';
import { anyText } from '../../support/any-text.ts';
import { sampled } from '../../support/samples.ts';

const now = new Date('2026-11-25T12:00:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const nothingPending = () => false;
const inboxOf = (...ids: string[]) =>
  Inbox.empty.with(
    ids.map((id) => handled(id)),
    later(1),
  );
const handled = (id: string, type = 'Paid', hasRecord = false) => ({ id, type, hasRecord });

describe('an inbox', () => {
  it('knows what was handled, whatever the ids hold, and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText(), { maxLength: 30 }), (ids) => {
        const [other, ...handled] = ['another one', ...ids.filter((id) => id !== 'another one')];
        const inbox = inboxOf(...handled);
        expect(inbox.bytes.byteLength).toBe(handled.length * INBOX_ENTRY_BYTES);
        expect(handled.every((id) => inbox.find(id) !== undefined)).toBe(true);
        expect(inbox.find(other)).toBeUndefined();
      }),
      sampled(300),
    );
  });

  it.each([
    ['message-3908013', 'message-7208120'],
    ['message-4826875', 'message-12900317'],
    ['message-10487828', 'message-13737431'],
  ])('tells %s and %s apart, whose hashes share their first bits', (one, other) => {
    const [first, second] = [messageHash(one), messageHash(other)];
    expect(first.subarray(0, 5)).toEqual(second.subarray(0, 5));
    expect(inboxOf(one).find(other)).toBeUndefined();
    expect(inboxOf(one, other).size).toBe(2);
    const live = inboxOf(one, other).live(later(1), (key) => key === pendingKey(other));
    expect([live.find(one), live.find(other) !== undefined]).toEqual([undefined, true]);
  });

  it('rounds the expiry up to the hour, so that nothing is forgotten too early', () => {
    const at = new Date('2026-11-25T12:00:00.001Z');
    const inbox = Inbox.empty.with([handled('m', '')], at);
    expect(inbox.find('m')?.expiresAt).toEqual(new Date('2026-11-25T13:00:00Z'));
    expect(inboxOf('m').find('m')?.expiresAt).toEqual(later(1));
  });

  it('forgets what has expired, but for what is still to be sent', () => {
    const inbox = inboxOf('old', 'pending').with([handled('new')], later(3));
    expect(inbox.live(now, nothingPending)).toBe(inbox);
    const live = inbox.live(later(1), (key) => key === pendingKey('pending'));
    expect(['old', 'pending', 'new'].map((id) => live.find(id) !== undefined)).toEqual([false, true, true]);
  });

  it('has one entry for a message that is handled again after it was forgotten', () => {
    const inbox = inboxOf('m', 'n').with([handled('m', 'Paid', true)], later(9));
    expect(inbox.size).toBe(2);
    expect(inbox.find('m')).toMatchObject({ expiresAt: later(9), hasRecord: true });
    expect(inbox.find('n')).toMatchObject({ expiresAt: later(1), hasRecord: false });
  });

  it.each([
    ['Paid', 'Paid', false],
    ['Paid', 'Refunded', true],
    ['', 'Paid', false],
    ['Paid', '', false],
  ])('tells whether %j under an id is another message than %j', (known, type, isOther) => {
    const entry = Inbox.empty.with([handled('m', known, true)], later(1)).find('m');
    expect(entry && isOfOtherType(entry, type)).toBe(isOther);
  });

  it('reads bytes that are a part of a larger buffer', () => {
    const { bytes } = inboxOf('m');
    const pool = Buffer.concat([Buffer.alloc(7), bytes, Buffer.alloc(5)]);
    expect(new Inbox(pool.subarray(7, 7 + bytes.byteLength)).find('m')).toBeDefined();
  });

  it('refuses bytes that are no entries', () => {
    expect(() => new Inbox(new Uint8Array(16))).toThrow('it has 16 bytes, which are not of 15 each');
  });
});
