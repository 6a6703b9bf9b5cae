import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  claimCheckOf,
  isClaimCheckKey,
  readClaimCheck,
} from '../../../lib/sending/claim-check/claim-check.ts';
import { claimCheckFolder } from '../../../lib/sending/claim-check/claim-folder.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { refusalOf } from '../unit-of-work-of.ts';

const hex = '0123456789abcdef'.repeat(4);
const keyOf = (body: Uint8Array) =>
  `claims/orders/out-1/${createHash('sha256').update(body).digest('hex')}.json`;

describe('the key of a body that is stored in the bucket', () => {
  it.each([
    '',
    `public/orders/out-1/${hex}.json`,
    `claims/orders/out-1/${hex}.json/secret`,
    `claims/orders/out-1/secret/${hex}.json`,
    `claims/orders/out-1/x${hex}.json`,
    `claims/orders/out-1/${hex}.json5`,
    `claims/orders/out-1/${hex.slice(1)}.json`,
    `claims/orders/out-1/${hex.toUpperCase()}.json`,
    'claims/orders/out-1/secret.json',
    `claims/../out-1/${hex}.json`,
    `claims/orders/../${hex}.json`,
    `claims/orders//${hex}.json`,
    `claims//out-1/${hex}.json`,
    'claims/orders/out-1',
    'claims/',
  ])('is no other one, whoever sends it: %j', (key) => {
    expect(isClaimCheckKey(key)).toBe(false);
  });
});

describe('a body that comes back', () => {
  it('is the one that its key was made for', () => {
    const body = Buffer.from('{"total":1}');
    expect(readClaimCheck(body, keyOf(body), 'in-1')).toEqual({ total: 1 });
    const error = refusalOf(() => readClaimCheck(Buffer.from('{"total":2}'), keyOf(body), 'in-1'));
    expect(error).toMatchObject({
      code: 'ClaimCheckNotFound',
      facts: { messageId: 'in-1', key: keyOf(body) },
    });
    expect(error.message).toContain('its content is another one');
  });

  it.each([
    ['no JSON', Buffer.from('text'), 'SyntaxError'],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'TypeError'],
  ])('is not taken for a message when it is %s', (_what, body, name) => {
    const error = refusalOf(() => readClaimCheck(body, keyOf(body), 'in-1'));
    expect(error).toMatchObject({ code: 'ClaimCheckNotFound' });
    expect((error.cause as Error).name).toBe(name);
    expect(error.message).toContain('it is not JSON');
  });
});

describe('the folder of the bodies that an endpoint stores in the bucket', () => {
  it.each([
    'orders',
    'orders.v2 (EU)',
    'a/../b',
    '..',
    'all*',
    'é'.repeat(30),
    'x'.repeat(200),
    'x'.repeat(600),
  ])('is where those of %j go, under keys that may be read', (endpoint) => {
    const storage = { bucketName: 'bodies', endpoint, thresholdBytes: 1, destinations: new Map() };
    const key = claimCheckOf(outgoingMessage(), storage)?.key ?? '';
    expect(key.slice(0, key.indexOf('/out-1/'))).toBe(claimCheckFolder(endpoint));
    expect(isClaimCheckKey(key)).toBe(true);
  });

  it('has its name, up to 200 characters', () => {
    expect(claimCheckFolder('x'.repeat(200))).toContain('x'.repeat(200));
    expect(claimCheckFolder('x'.repeat(201))).not.toContain('x');
  });

  it('is not shared by two endpoints', () => {
    expect(claimCheckFolder('a.b')).not.toBe(claimCheckFolder('a/b'));
    expect(claimCheckFolder('x'.repeat(201))).not.toBe(claimCheckFolder('x'.repeat(202)));
  });
});
