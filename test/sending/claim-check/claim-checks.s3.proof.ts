import { expect, it } from '@jest/globals';
import { limits } from '../../../lib/kernel/limits.ts';
import { S3ClaimChecks } from '../../../lib/sending/claim-check/claim-checks.s3.ts';
import { s3Client } from '../../support/engines.ts';
import { ClientFaults } from '../../support/faults.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

it('a body that is uploaded may have as many bytes as can be read back', async () => {
  const client = s3Client();
  new ClientFaults(client).answer('PutObject', {});
  const claimChecks = new S3ClaimChecks({
    endpoint: 'orders',
    thresholdBytes: 100,
    bucketName: 'bodies',
    destinations: new Map(),
    loadClient: async () => client,
  });
  const body = 'x'.repeat(limits.claimCheckBytes - 2);
  const [message] = await claimChecks.store([outgoingMessage({ body })]);
  expect(message).toMatchObject({ body: { bytes: limits.claimCheckBytes } });
});
