import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { Journal } from './journal.ts';

const inDirectory = directoryOfTest();

describe('the journal of the emulator', () => {
  let journal: Journal;
  const write = (text: string) => appendFile(inDirectory('journal'), text);

  beforeEach(async () => {
    journal = await Journal.open(inDirectory('journal'));
  });

  afterEach(() => journal.close());

  it('tells of denials, also when a line is written in two parts', async () => {
    await write('{"event": "denied", "principal": "role", "act');
    await journal.look();
    expect(journal.denials).toEqual([]);
    await write('ion": "sqs:SendMessage", "resource": "queue"}\n');
    await journal.look();
    await journal.look();
    expect(journal.denials).toEqual([{ principal: 'role', action: 'sqs:SendMessage', resource: 'queue' }]);
  });

  it('tells which processes work, and which died at it', async () => {
    await write(
      '{"event":"working","processId":1,"functionName":"a"}\n{"event":"working","processId":2,"functionName":"b"}\n',
    );
    await journal.look();
    expect(journal.working).toEqual(
      new Map([
        [1, 'a'],
        [2, 'b'],
      ]),
    );
    await write(
      '{"event":"resting","processId":1,"error":null}\n{"event":"resting","processId":2,"error":"Worker process died"}\n',
    );
    await journal.look();
    expect([journal.working.size, [...journal.died]]).toEqual([0, [2]]);
  });

  it('tells of the largest batch, and of transactions that stored several records', async () => {
    await write('{"event":"delivered","messages":10}\n{"event":"delivered","messages":3}\n');
    await write('{"event":"stored together","records":3,"sagas":["Stock"]}\n');
    await journal.look();
    expect(journal.largestBatch).toBe(10);
    expect(journal.sharedCommits).toEqual([{ records: 3, sagas: ['Stock'] }]);
  });
});
