import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { RefusedInput } from '../../../lib/cli/command.ts';
import { measureCommand } from '../../../lib/cli/measure/measure.ts';
import { readMeasureOptions } from '../../../lib/cli/measure/options.ts';
import { valuesOf } from '../../support/command-io.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const read = async (line: string) =>
  await readMeasureOptions(valuesOf(measureCommand, line.split(' ').filter(Boolean)));

async function refused(line: string): Promise<readonly string[]> {
  const error = await read(line).catch((caught: unknown) => caught);
  if (!(error instanceof RefusedInput)) throw new Error(`'${line}' was not refused, but ${error}`);
  return error.problems;
}

const temporary = temporaryDirectory();

describe('the command line of sagabox measure', () => {
  it('takes the shape of the messages, and leaves the rest to the defaults', async () => {
    expect(await read('--saga-size 1000 --outgoing 3')).toMatchObject({
      shape: { sagaBytes: 1_000, outgoing: 3, messageBytes: 500, locking: 'optimistic', metadataBytes: 216 },
      ...{ count: 20, sharedTable: false, leftOut: [] },
      ...{ account: undefined, dynamoDBEndpoint: undefined },
    });
  });

  it('takes tables and queues of an account', async () => {
    const line =
      '--outgoing 2 --destinations 2 --table T --queue https://q.example/a --queue https://q.example/b --yes';
    expect(await read(line)).toMatchObject({
      account: {
        outboxTableName: 'T',
        sagaTableName: 'T',
        queueUrls: ['https://q.example/a', 'https://q.example/b'],
      },
    });
    expect(await read('--table T --saga-table S --yes')).toMatchObject({
      account: { outboxTableName: 'T', sagaTableName: 'S', queueUrls: [] },
    });
  });

  it('takes the workload of a plan, and tells what a run leaves out of it', async () => {
    const file = temporary('workload.yaml');
    await writeFile(
      file,
      'messagesPerSecond: 200\nbatchSize: 5\nmessage: { sagaBytes: 1000, locking: pessimistic, lockAttempts: 2, conflictRate: 0.1 }\n',
    );
    expect(await read(`--workload ${file} --saga-size 2000`)).toMatchObject({
      shape: { sagaBytes: 2_000, locking: 'pessimistic', lockAttempts: 1, conflictRate: 0 },
      leftOut: [
        expect.stringContaining('lock attempts'),
        expect.stringContaining('conflicts'),
        expect.stringContaining('batches'),
      ],
    });
  });

  it.each([
    ['--messages 0', '--messages: must be a whole number from 1 to 10000'],
    ['--messages 10001', '--messages: must be a whole number from 1 to 10000'],
    ['--messages many', "not 'many'"],
    ['--saga-size 1000 --appended 1 --contribution-size 9', '--contribution-size: a run stores'],
    [
      '--appended 1',
      '--appended: it is more than 0, which no such message can have. Use it only for a message with a saga',
    ],
    ['--table T', 'add --yes to allow it'],
    ['--yes', '--yes is for a run in an account'],
    ['--queue https://q.example/a', '--queue is for a run in an account'],
    ['--table T --yes --outgoing 1', '--queue: the messages go to 1 queues, and 0 are given'],
    ['--table T --yes --outgoing 1 --queue no-url', "not 'no-url'"],
    ['--table T --yes --outgoing 1 --queue https://q.example/a.fifo', 'is a FIFO queue'],
    [
      '--table T --yes --outgoing 2 --destinations 2 --queue https://q.example/a --queue https://q.example/a',
      'given twice',
    ],
  ])('refuses %s', async (line, problem) => {
    expect((await refused(line)).join('\n')).toContain(problem);
  });

  it('refuses sizes that no real message has, and tells the nearest', async () => {
    const tooSmall = await refused('--saga-size 100 --outgoing 1 --message-size 100 --metadata-size 100');
    expect(tooSmall).toEqual([
      expect.stringMatching(/^--metadata-size: a run stores 202 bytes at least/),
      expect.stringMatching(/^--saga-size: a run stores \d+ bytes at least/),
      expect.stringMatching(/^--message-size: a run stores \d+ bytes at least/),
    ]);
    for (const problem of tooSmall) {
      const [, option, bytes = ''] = /^(--[a-z-]+): a run stores (\d+)/.exec(problem) ?? [];
      const outgoing = option === '--message-size' ? '--saga-size 1000 --outgoing 1' : '';
      const shortHeaders = option === '--message-size' ? '--metadata-size 202' : '';
      expect(await read(`${outgoing} ${shortHeaders} ${option} ${bytes}`)).toHaveProperty('shape');
      expect(await refused(`${outgoing} ${shortHeaders} ${option} ${Number(bytes) - 1}`)).toHaveLength(1);
    }
  });

  it('cares for the size of records only where there are some', async () => {
    expect(await refused('--metadata-size 100')).toHaveLength(1);
    expect(await read('--metadata-size 100 --no-outbox --saga-size 1000')).toHaveProperty('shape');
  });

  it('tells all problems at once', async () => {
    expect(await refused('--messages 0 --saga-size -1 --locking hopeful')).toHaveLength(3);
  });

  it.each([
    ['--dynamodb-endpoint localhost', 'Expected a URL'],
    ['--table T --yes --dynamodb-endpoint http://localhost:8000', 'cannot be used with'],
    ['--app cdk.out --table T', 'cannot be used with'],
  ])('refuses %s', async (line, problem) => {
    await expect(read(line)).rejects.toThrow(problem);
  });
});
