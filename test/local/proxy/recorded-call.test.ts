import { describe, expect, it } from '@jest/globals';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';
import { recordedCall } from '../../../lib/local/proxy/recorded-call.ts';

const wire = { B: Buffer.from('bytes').toString('base64') };
const sdk = { B: Buffer.from('bytes') };

function called(operation: string, request: object, body: object = {}, status = 200) {
  const service: ProxiedCall['service'] = operation.startsWith('Send') ? 'sqs' : 'dynamodb';
  const call = { instanceId: 'i', functionName: 'f', service, operation, request: { ...request } };
  return recordedCall(call, { status, body: { ...body } });
}

describe('a call as it went over the wire', () => {
  it.each([
    ['PutItem', (value: object) => ({ TableName: 'T', Item: { PK: { S: 'Item' }, a: value } })],
    ['TransactWriteItems', (value: object) => ({ TransactItems: [{ Put: { Item: { a: value } } }] })],
    ['BatchGetItem', (value: object) => ({ RequestItems: { Item: { Keys: [{ a: value }] } } })],
    [
      'BatchWriteItem',
      (value: object) => ({ RequestItems: { T: [{ PutRequest: { Item: { a: value } } }] } }),
    ],
    ['Query', (value: object) => ({ ExpressionAttributeValues: { ':a': value } })],
  ])('has its binary values decoded in a %s', (operation, input) => {
    expect(called(operation, input(wire))).toEqual({ operation, input: input(sdk), output: {} });
  });

  it.each([
    ['GetItem', (value: object) => ({ Item: { a: { L: [{ M: { b: value } }] } } })],
    ['Query', (value: object) => ({ Items: [{ a: value }], Count: 1 })],
    ['BatchGetItem', (value: object) => ({ Responses: { T: [{ a: value }] }, UnprocessedKeys: {} })],
    ['UpdateItem', (value: object) => ({ Attributes: { a: value } })],
  ])('has those of the answer decoded in a %s', (operation, output) => {
    expect(called(operation, {}, output(wire)).output).toEqual(output(sdk));
  });

  it('leaves what goes to a queue as it is', () => {
    const request = { Entries: [{ Id: '0', MessageBody: '{}' }] };
    expect(called('SendMessageBatch', request).input).toEqual(request);
  });

  it.each([
    ['ConditionalCheckFailedException', (value: object) => ({ Item: { a: value } })],
    [
      'TransactionCanceledException',
      (value: object) => ({ CancellationReasons: [{ Code: 'None' }, { Item: { a: value } }] }),
    ],
  ])('has the error of a refusal as the SDK has it: %s', (name, facts) => {
    const body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...facts(wire) };
    const { error, output } = called('PutItem', {}, body, 400);
    expect(error).toMatchObject({ name, ...facts(sdk) });
    expect(output).toBeUndefined();
  });
});
