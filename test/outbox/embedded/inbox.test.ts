import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Inbox, inboxBytes } from '../../../lib/outbox/embedded/inbox.ts';
import { anyText } from '../../support/any-text.ts';
import { emptyInbox } from '../../support/inboxes.ts';
import { sampled } from '../../support/samples.ts';

const now = new Date('2026-11-25T12:00:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const nothingPending = () => false;
const inboxOf = (...ids: string[]) =>
  emptyInbox.with(
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
        expect(inbox.bytes.byteLength).toBe(inboxBytes(handled.length));
        expect(handled.every((id) => inbox.find(id) !== undefined)).toBe(true);
        expect(inbox.find(other)).toBeUndefined();
      }),
      sampled(300),
    );
  });

  it('knows each message by 9 bytes of the HMAC of its id under the salt that it begins with', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), anyText(), (salt, id) => {
        const hash = createHmac('sha256', salt).update(id).digest().subarray(0, 9);
        const { bytes } = new Inbox(salt).with([handled(id)], later(1));
        expect(Buffer.from(bytes.subarray(0, 17))).toEqual(Buffer.concat([salt, hash]));
        expect(new Inbox(bytes).keyOf(id)).toBe(hash.toString('base64url'));
      }),
      sampled(300),
    );
  });

  it.each([
    ['forgets', (inbox: Inbox) => inbox.live(later(1), nothingPending)],
    ['takes more', (inbox: Inbox) => inbox.with([handled('n')], later(2))],
  ])('keeps its salt when it %s', (_what, change) => {
    const salt = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const before = new Inbox(salt).with([handled('m')], later(1));
    expect(Buffer.from(change(before).bytes.subarray(0, 8))).toEqual(Buffer.from(salt));
    expect(change(before).keyOf('m')).toBe(before.keyOf('m'));
  });

  it.each([
    ['message-510358', 'message-2227735'],
    ['message-1614581', 'message-2908344'],
    ['message-2446426', 'message-3407792'],
  ])('tells %s and %s apart, whose hashes share their first bits', (one, other) => {
    const [first, second] = [one, other].map((id) => Buffer.from(emptyInbox.keyOf(id), 'base64url'));
    expect(first?.subarray(0, 5)).toEqual(second?.subarray(0, 5));
    expect(inboxOf(one).find(other)).toBeUndefined();
    expect(inboxOf(one, other).size).toBe(2);
    const live = inboxOf(one, other).live(later(1), (key) => key === emptyInbox.keyOf(other));
    expect([live.find(one), live.find(other) !== undefined]).toEqual([undefined, true]);
  });

  it('rounds the expiry up to the hour, so that nothing is forgotten too early', () => {
    const at = new Date('2026-11-25T12:00:00.001Z');
    const inbox = emptyInbox.with([handled('m', '')], at);
    expect(inbox.find('m')?.expiresAt).toEqual(new Date('2026-11-25T13:00:00Z'));
    expect(inboxOf('m').find('m')?.expiresAt).toEqual(later(1));
  });

  it('forgets what has expired, but for what is still to be sent', () => {
    const inbox = inboxOf('old', 'pending').with([handled('new')], later(3));
    expect(inbox.live(now, nothingPending)).toBe(inbox);
    const live = inbox.live(later(1), (key) => key === emptyInbox.keyOf('pending'));
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
    const inbox = emptyInbox.with([handled('m', known, true)], later(1));
    const entry = inbox.find('m');
    expect(entry && inbox.isOfOtherType(entry, type)).toBe(isOther);
  });

  // Made for this: any sender can make such, and none can for a salt that it does not know.
  it('tells types apart of which CRC-32 makes the same', () => {
    const [known, forged] = ['Paid', 'Forged25599672'];
    expect(crc32(known) & 0x7fffff).toBe(crc32(forged) & 0x7fffff);
    const inbox = emptyInbox.with([handled('m', known)], later(1));
    const entry = inbox.find('m');
    expect(entry && inbox.isOfOtherType(entry, forged)).toBe(true);
  });

  it('reads bytes that are a part of a larger buffer', () => {
    const { bytes } = inboxOf('m');
    const pool = Buffer.concat([Buffer.alloc(7), bytes, Buffer.alloc(5)]);
    expect(new Inbox(pool.subarray(7, 7 + bytes.byteLength)).find('m')).toBeDefined();
  });

  it('refuses bytes that are no entries', () => {
    for (const length of [0, 7, 9, 15, 24])
      expect(() => new Inbox(new Uint8Array(length))).toThrow(
        `its inbox has ${length} bytes, which are not 8 and 15 for each message`,
      );
  });
});
