import { createHash } from 'node:crypto';
import { CreateBucketCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { S3ClaimChecks } from '../../lib/sending/claim-check/claim-checks.s3.ts';
import { s3Client } from '../support/engines.ts';
import { damagedString } from './damage.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { hostileString } from './hostile-values.ts';

jest.setTimeout(fuzzTimeoutMs);

const bucketName = `hostile-${Date.now()}`;
let client: S3Client;

beforeAll(async () => {
  client = s3Client();
  await client.send(new CreateBucketCommand({ Bucket: bucketName }));
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bodies = fc.oneof(
  damagedString({ orderId: '1', lines: [{ article: 'a' }] })
    // What is nested deeper cannot be compared.
    .filter((json) => json.length < 10_000)
    .map((json) => Buffer.from(json)),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

/** What became of a message whose body is at a key. */
async function loaded(key: string): Promise<IncomingMessage | unknown> {
  const claimChecks = new S3ClaimChecks({
    bucketName,
    endpoint: 'orders',
    thresholdBytes: 1,
    destinations: new Map(),
    loadClient: async () => client,
  });
  const record = sqsRecord({ type: 'Placed', headers: { 'Sagabox.ClaimCheck': key } });
  try {
    return await claimChecks.load(readEnvelope(record));
  } catch (error) {
    return error;
  }
}

describe('a claim check', () => {
  it('whose body is damaged gives just what was put there, or is refused with a code', async () => {
    await holdsForAll(fc.tuple(bodies, fc.boolean()), 30, async ([body, isRight]) => {
      const hash = isRight ? sha256(body) : sha256(Buffer.from('another'));
      const key = `claims/orders/m-1/${hash}.json`;
      await client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body }));
      const outcome = await loaded(key);
      if (isRight && isJson(body))
        expect((outcome as IncomingMessage).body).toEqual(JSON.parse(body.toString()));
      else expect(outcome).toMatchObject({ code: 'ClaimCheckNotFound' });
    });
  });

  it('that points anywhere else is refused with a code', async () => {
    const segments = fc.constantFrom(
      'sagabox',
      'orders',
      '..',
      '.',
      '%2e%2e',
      '',
      'm-1',
      `${'0'.repeat(64)}.json`,
    );
    const keys = fc.oneof(
      hostileString.filter((key) => key !== ''),
      fc
        .array(segments, { minLength: 1, maxLength: 6 })
        .map((parts) => `${parts.join('/')}`)
        .filter((key) => key !== ''),
    );
    await holdsForAll(keys, 60, async (key) => {
      expect(await loaded(key)).toMatchObject({ code: 'ClaimCheckNotFound' });
    });
  });
});

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
