import { expect, it } from '@jest/globals';
import { readEnvelope } from '../../lib/core/envelope.ts';
import type { Flow } from '../../lib/flow/attempt.ts';
import { redeemBody } from '../../lib/flow/put-aside.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { record } from '../support/queue.ts';

it('a claim that arrives where no claim check is configured fails its message, with the key', async () => {
  const plain = readEnvelope(record('Placed', { claimCheck: 's3://bodies/claims/a' }, 'm1'));
  const flow = { ports: {} } as Flow;
  const { signal } = new AbortController();
  const claimed = { ...plain, headers: { 'Sagabox.ClaimCheck': 'claims/a' } };
  const error = await sagaboxErrorOf(redeemBody({ flow, received: claimed, signal }));
  expect(error).toMatchObject({ code: 'ClaimNotFound', retryable: false });
  expect(error.message).toMatch(/'claims\/a' \(no claim check is configured/);
  expect(await redeemBody({ flow, received: plain, signal })).toBe(plain);
});
