import { describe, expect, it } from '@jest/globals';
import { claimOf } from '../../../lib/core/claim-check/claim.ts';
import { claimFolder } from '../../../lib/core/claim-check/claim-folder.ts';

describe('the folder of the bodies that an endpoint puts aside', () => {
  it.each(['orders', 'orders.v2 (EU)', 'a/../b', 'all*', 'é'.repeat(30), 'x'.repeat(200), 'x'.repeat(201)])(
    'is where those of %j go',
    (endpoint) => {
      const message = { id: '1', destination: 'billing', type: 'Charge', body: 'text', headers: {} };
      const storage = { bucketName: 'bodies', endpoint, thresholdBytes: 1, destinations: new Map() };
      const key = claimOf(message, storage)?.key ?? '';
      expect(key.slice(0, key.indexOf('/1/'))).toBe(claimFolder(endpoint));
    },
  );

  it('has its name, up to 200 characters', () => {
    expect(claimFolder('x'.repeat(200))).toContain('x'.repeat(200));
    expect(claimFolder('x'.repeat(201))).not.toContain('x');
  });

  it('is not shared by two endpoints', () => {
    expect(claimFolder('a.b')).not.toBe(claimFolder('a/b'));
    expect(claimFolder('x'.repeat(201))).not.toBe(claimFolder('x'.repeat(202)));
  });
});
