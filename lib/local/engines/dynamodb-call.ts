import { localIdentity } from '../app/identity.ts';

const { credentials, region } = localIdentity;
/** Engines require a signature, but do not check it. */
const signature = [
  `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/dynamodb/aws4_request`,
  'SignedHeaders=host',
  'Signature=0',
].join(', ');

/**
 * Makes a call that `@aws-sdk/client-dynamodb` does not have, or that asks who answers, over plain HTTP.
 *
 * @param target service and operation: `DynamoDBStreams_20120810.GetRecords`
 */
export function dynamoDBCall(
  endpoint: string,
  target: string,
  request: object,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: signature,
      'x-amz-date': '20260101T000000Z',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
    },
    body: JSON.stringify(request),
    signal,
  });
}
