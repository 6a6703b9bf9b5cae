import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from '@jest/globals';
import { runProgram } from '../../support/command-io.ts';
import { dynamoDBClient } from '../../support/engines.ts';

it('the program sagabox measure uses an engine that runs already, starts the queues, and ends', async () => {
  const args = ['measure', '--saga-size', '1000', '--outgoing', '1', '--messages', '1', '--json'];
  const { exitCode, out, err } = await runProgram(args, {
    SAGABOX_DYNAMODB_ENDPOINT: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT,
  });
  expect([exitCode, err]).toEqual([0, expect.stringContaining('Measuring 1 messages\n')]);
  expect(JSON.parse(out)).toMatchObject({ isEqual: true, messages: 1 });
  const { TableNames = [] } = await dynamoDBClient().send(
    new ListTablesCommand({ ExclusiveStartTableName: 'sagabox-measure' }),
  );
  expect(TableNames.filter((name) => name.startsWith('sagabox-measure-'))).toEqual([]);
});
