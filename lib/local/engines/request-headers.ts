import { localIdentity } from '../app/identity.ts';

const { credentials, region } = localIdentity;

/** Headers of calls without an SDK. Engines require a signature, but do not check it. */
export const requestHeaders = {
  authorization: [
    `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/dynamodb/aws4_request`,
    'SignedHeaders=host',
    'Signature=0',
  ].join(', '),
  'x-amz-date': '20260101T000000Z',
  'content-type': 'application/x-amz-json-1.0',
} as const;
