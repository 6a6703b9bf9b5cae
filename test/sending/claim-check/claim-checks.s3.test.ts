import { beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '../../../lib/kernel/limits.ts';
import type { IncomingMessage, OutgoingMessage } from '../../../lib/messages/message.ts';
import { S3ClaimChecks } from '../../../lib/sending/claim-check/claim-checks.s3.ts';
import { s3Client } from '../../support/engines.ts';
import { codeOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { createBucket } from '../../support/event-resources.ts';
import { awsError, ClientFaults, disableSdkRetries } from '../../support/faults.ts';
import { received } from '../../support/incoming-messages.ts';
import { numberedMessages, outgoingMessage } from '../../support/outgoing-messages.ts';

const client = s3Client();
disableSdkRetries(client);
const faults = new ClientFaults(client);
let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
  faults.reset();
});

async function openClaims(overrides: { bucketName?: string } = {}) {
  const bucketName = overrides.bucketName ?? (await createBucket());
  const settings = {
    endpoint: 'orders',
    thresholdBytes: 100,
    destinations: new Map(),
    loadClient: async () => client,
  };
  return new S3ClaimChecks({ ...settings, ...overrides, bucketName });
}

const largeMessages = (count: number) =>
  numberedMessages(count).map((message) => ({ ...message, body: 'x'.repeat(200) }));

async function depositedMessage(claimChecks: S3ClaimChecks): Promise<IncomingMessage> {
  const [stored] = await claimChecks.store(largeMessages(1));
  faults.reset();
  return received(stored as OutgoingMessage);
}

describe('bodies that are uploaded', () => {
  it('are JSON objects under the prefix, in the configured bucket', async () => {
    const bucketName = await createBucket();
    const claimChecks = await openClaims({ bucketName });
    const [message] = await claimChecks.store(largeMessages(1));
    expect(faults.requests.map(({ input }) => input)).toEqual([
      expect.objectContaining({
        Bucket: bucketName,
        Key: expect.stringMatching(/^claims\/orders\/billing-0\/[0-9a-f]{64}\.json$/),
        ContentType: 'application/json',
      }),
    ]);
    const loaded = await claimChecks.load(received(message as OutgoingMessage));
    expect(loaded.body).toBe('x'.repeat(200));
    expect(faults.requests[1]?.input).toMatchObject({ Bucket: bucketName });
  });

  it('go five at a time', async () => {
    const claimChecks = await openClaims();
    let uploading = 0;
    let most = 0;
    faults.plan(
      'PutObject',
      async (_input, proceed) => {
        uploading += 1;
        most = Math.max(most, uploading);
        try {
          return await proceed();
        } finally {
          uploading -= 1;
        }
      },
      12,
    );
    await claimChecks.store(largeMessages(12));
    expect(most).toBe(5);
    expect(faults.operations).toHaveLength(12);
  });

  it('have all ended when one of them has failed', async () => {
    const claimChecks = await openClaims();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    faults.fail('PutObject', awsError('SlowDown'));
    faults.plan('PutObject', async (_input, proceed) => {
      await released;
      return proceed();
    });
    let ended = false;
    const store = sagaboxErrorOf(claimChecks.store(largeMessages(2))).finally(() => {
      ended = true;
    });
    // Enough turns for a rejection to come through, if nothing waited for the other upload.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(ended).toBe(false);
    release();
    expect((await store).code).toBe('ClaimCheckFailed');
    expect(faults.operations).toHaveLength(2);
  });

  it('are none without large bodies, and then no client is loaded', async () => {
    const loadClient = () => Promise.reject(new Error('It was loaded'));
    const claimChecks = new S3ClaimChecks({
      bucketName: 'b',
      endpoint: 'orders',
      thresholdBytes: 100,
      destinations: new Map(),
      loadClient,
    });
    const operations = [outgoingMessage(), { id: 'c', cancels: 'out-1' }];
    expect(await claimChecks.store(operations)).toEqual(operations);
  });

  it('to a bucket that does not exist are Configuration, and name it', async () => {
    const claimChecks = await openClaims({ bucketName: 'no-such-bucket' });
    const error = await sagaboxErrorOf(claimChecks.store(largeMessages(1)));
    expect(error).toHaveProperty('code', 'Configuration');
    expect(error.message).toContain("claim check bucket 'no-such-bucket'");
    expect(error.cause).toHaveProperty('name', 'NoSuchBucket');
  });

  it('without permission are Configuration', async () => {
    const claimChecks = await openClaims();
    faults.fail('PutObject', awsError('AccessDenied'));
    const { code, message } = await sagaboxErrorOf(claimChecks.store(largeMessages(1)));
    expect(code).toBe('Configuration');
    expect(message).toMatch(
      /takes no bodies \(AccessDenied: .*\)\. Correct its name.*the permissions of the function/,
    );
  });
});

describe('a body that is fetched', () => {
  it('and breaks off on its way is ClaimCheckFailed', async () => {
    const claimChecks = await openClaims();
    const message = await depositedMessage(claimChecks);
    const transformToByteArray = () => Promise.reject(awsError('ECONNRESET'));
    faults.answer('GetObject', { Body: { transformToByteArray } });
    expect(await codeOf(claimChecks.load(message))).toBe('ClaimCheckFailed');
  });

  it.each(['AccessDenied', 'NoSuchKey', 'NoSuchBucket', 'InvalidObjectState', 'InvalidRange'])(
    'in vain, by %s, is ClaimCheckNotFound',
    async (name) => {
      const claimChecks = await openClaims();
      const message = await depositedMessage(claimChecks);
      const failure = awsError(name);
      faults.fail('GetObject', failure);
      const error = await sagaboxErrorOf(claimChecks.load(message));
      expect(error).toMatchObject({ code: 'ClaimCheckNotFound', cause: failure });
      expect(error.message).toContain(name);
    },
  );

  it.each([
    ['of as many bytes as are allowed is read', limits.claimCheckBytes, 'its content is another one'],
    [
      'of a byte more is refused',
      limits.claimCheckBytes + 1,
      `it is over the ${limits.claimCheckBytes} bytes`,
    ],
  ])('%s', async (_name, bytes, detail) => {
    const claimChecks = await openClaims();
    const message = await depositedMessage(claimChecks);
    faults.answer('GetObject', { Body: { transformToByteArray: async () => new Uint8Array(bytes) } });
    const error = await sagaboxErrorOf(claimChecks.load(message));
    expect(error.code).toBe('ClaimCheckNotFound');
    expect(error.message).toContain(detail);
    expect(faults.requests[0]?.input.Range).toBe(`bytes=0-${limits.claimCheckBytes}`);
  });
});

describe.each([
  ['PutObject', async (claimChecks: S3ClaimChecks) => claimChecks.store(largeMessages(1), ending.signal)],
  [
    'GetObject',
    async (claimChecks: S3ClaimChecks, message: IncomingMessage) => claimChecks.load(message, ending.signal),
  ],
] as const)('a %s', (operation, call) => {
  it.each(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'TimeoutError'])(
    'that fails by %s is ClaimCheckFailed',
    async (name) => {
      const claimChecks = await openClaims();
      const message = await depositedMessage(claimChecks);
      const failure = awsError(name);
      faults.fail(operation, failure);
      const error = await sagaboxErrorOf(call(claimChecks, message));
      expect(error).toMatchObject({ code: 'ClaimCheckFailed', cause: failure });
      expect(error.facts).toEqual({ operation, detail: `${name}: ${name} of the test` });
    },
  );

  it('without an answer is waited for until the signal, and no longer', async () => {
    const claimChecks = await openClaims();
    const message = await depositedMessage(claimChecks);
    faults.plan(operation, async () => await new Promise<never>(() => {}));
    const called = call(claimChecks, message);
    ending.abort();
    expect(await codeOf(called)).toBe('ClaimCheckFailed');
  });
});
