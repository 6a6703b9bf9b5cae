import { expect, it } from '@jest/globals';
import { runOnEngines } from '../support/command-io.ts';

const nowhere = {
  AWS_REGION: undefined,
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
};

it.each([
  ['list', 'OrderSaga', '--table', 't'],
  ['show', 'OrderSaga', 'o-1', '--table', 't'],
  ['relay', '--endpoint', 'orders', '--table', 't'],
  ['redrive', '--from', 'http://127.0.0.1:1/1/errors'],
  ['measure', '--table', 't', '--outgoing', '0', '--yes'],
])('sagabox %s without a region is refused before it reads', async (...args) => {
  const { exitCode, out, err } = await runOnEngines(args, nowhere);
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toBe(
    'error: AWS_REGION: Region is missing. Set it to the region of the tables and queues.\n' +
      `'sagabox ${args[0]} --help' lists the options.`,
  );
});

it('sagabox redrive takes the region from the URL of a queue', async () => {
  const from = 'https://sqs.eu-west-1.amazonaws.com/123456789012/errors';
  const { err } = await runOnEngines(['redrive', '--from', from, '--max', '1'], nowhere);
  expect(err).not.toContain('Region');
});
