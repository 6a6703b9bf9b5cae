import { localIdentity } from '../app/local-identity.ts';

/** Of calls of our own, without an SDK. Engines do not check the signature, but refuse a request that has none. */
export const requestHeaders = {
  authorization: [
    `AWS4-HMAC-SHA256 Credential=${localIdentity.credentials.accessKeyId}/20260101/${localIdentity.region}/dynamodb/aws4_request`,
    'SignedHeaders=host',
    'Signature=0',
  ].join(', '),
  'x-amz-date': '20260101T000000Z',
  'content-type': 'application/x-amz-json-1.0',
} as const;
