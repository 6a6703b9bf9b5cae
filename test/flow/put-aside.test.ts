import { expect, it } from '@jest/globals';
import { readEnvelope } from '../../lib/core/envelope.ts';
import { type Flow, startAttempt } from '../../lib/flow/attempt.ts';
import { complete } from '../../lib/flow/complete.ts';
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

it('a lease is renewed while bodies are put aside, and no longer when the commit begins', async () => {
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const flow = {
    endpoint: 'orders',
    outbox: false,
    hooks: {},
    ports: {
      clock: { now: () => new Date(0) },
      committer: { commit: step('commit') },
      claims: {
        deposit: async () => {
          steps.push('put aside');
          return [];
        },
      },
    },
  };
  const lease = { stopRenewing: step('stop renewing'), release: step('release') };
  const work = { seal: () => {}, settle: async () => [], operations: [], transactionItems: [{}] };
  const message = readEnvelope(record('Placed', {}, 'm1'));
  const attempt = startAttempt(flow as never, message);
  await complete({ ...attempt, message, work, draft: undefined, lease } as never);
  expect(steps).toEqual(['put aside', 'stop renewing', 'commit', 'release']);
});
