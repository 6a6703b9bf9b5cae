import { describe, expect, it } from '@jest/globals';
import { claimCheckOf } from '../../../lib/core/claim-check/claim-check.ts';
import { claimCheckFolder } from '../../../lib/core/claim-check/claim-folder.ts';

describe('the folder of the bodies that an endpoint stores in the bucket', () => {
  it.each(['orders', 'orders.v2 (EU)', 'a/../b', 'all*', 'é'.repeat(30), 'x'.repeat(200), 'x'.repeat(201)])(
    'is where those of %j go',
    (endpoint) => {
      const message = { id: '1', destination: 'billing', type: 'Charge', body: 'text', headers: {} };
      const storage = { bucketName: 'bodies', endpoint, thresholdBytes: 1, destinations: new Map() };
      const key = claimCheckOf(message, storage)?.key ?? '';
      expect(key.slice(0, key.indexOf('/1/'))).toBe(claimCheckFolder(endpoint));
    },
  );

  it('has its name, up to 200 characters', () => {
    expect(claimCheckFolder('x'.repeat(200))).toContain('x'.repeat(200));
    expect(claimCheckFolder('x'.repeat(201))).not.toContain('x');
  });

  it('is not shared by two endpoints', () => {
    expect(claimCheckFolder('a.b')).not.toBe(claimCheckFolder('a/b'));
    expect(claimCheckFolder('x'.repeat(201))).not.toBe(claimCheckFolder('x'.repeat(202)));
  });
});
