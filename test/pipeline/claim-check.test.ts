import { expect, it } from '@jest/globals';
import type { Flow } from '../../lib/attempt/attempt.ts';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { complete } from '../../lib/pipeline/complete.ts';
import { loadBody } from '../../lib/pipeline/read-message.ts';
import { storeBodies } from '../../lib/pipeline/work.ts';
import type { ClaimChecks } from '../../lib/sending/claim-check/claim-checks.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { MemoryFlow } from '../support/memory-flow.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { record } from '../support/queue.ts';

it('a claim that arrives where no claim check is configured fails its message, with the key', async () => {
  const plain = readEnvelope(record('Placed', { claimCheck: 's3://bodies/claims/a' }, 'm1'));
  const flow = { ports: {} } as Flow;
  const { signal } = new AbortController();
  const claimed = { ...plain, headers: { 'Sagabox.ClaimCheck': 'claims/a' } };
  const error = await sagaboxErrorOf(loadBody({ flow, received: claimed, signal }));
  expect(error).toMatchObject({ code: 'ClaimCheckNotFound', retryable: false });
  expect(error.message).toMatch(/'claims\/a' \(no claim check is configured/);
  expect(await loadBody({ flow, received: plain, signal })).toBe(plain);
});

it('a lease is renewed while bodies are stored in the bucket, and no longer when the commit begins', async () => {
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const subject = new MemoryFlow();
  const transaction = await subject.open('Placed', 'm1');
  const store: ClaimChecks['store'] = async (operations) => {
    steps.push('stored');
    return operations;
  };
  Object.assign(subject.flow.ports, { claimChecks: { store }, committer: { commit: step('commit') } });
  const lease = { stopRenewing: step('stop renewing'), release: step('release') };
  const draft = { seal: () => {}, write: () => undefined, openedSaga: {} };
  await complete({ ...transaction, draft, lease } as never);
  expect(steps).toEqual(['stored', 'stop renewing', 'commit', 'release']);
});

it('bodies are stored in the bucket and fetched where a claim check is configured, until the invocation ends', async () => {
  const received = readEnvelope(record('Placed', {}, 'm1'));
  const claimed = { ...received, headers: { 'Sagabox.ClaimCheck': 'claims/a' } };
  const operations = [outgoingMessage()];
  const stored = [outgoingMessage({ body: 'a reference' })];
  const loaded = { ...claimed, body: 'large' };
  const { signal } = new AbortController();
  const given: unknown[] = [];
  const answering =
    <T>(answer: T) =>
    async (...args: unknown[]) => {
      given.push(args);
      return answer;
    };
  const claimChecks: ClaimChecks = { store: answering(stored), load: answering(loaded) };
  const flow = { ports: { claimChecks } } as Flow;
  expect(await storeBodies({ flow, signal }, operations)).toBe(stored);
  expect(await loadBody({ flow, received: claimed, signal })).toBe(loaded);
  expect(given).toEqual([
    [operations, signal],
    [claimed, signal],
  ]);
  expect(await loadBody({ flow, received, signal })).toBe(received);
  expect(given).toHaveLength(2);
  expect(await storeBodies({ flow: { ports: {} } as Flow, signal }, operations)).toBe(operations);
});
