import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isRunning } from '../../support/processes.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { Journal } from '../engine/journal.ts';
import { Killer } from './killer.ts';

const never = new AbortController().signal;
const inDirectory = directoryOfTest();

describe('the killer of function processes', () => {
  let journal: Journal;
  let children: ChildProcess[];
  let rests: Promise<void>[];
  const write = (entry: object) => appendFile(inDirectory('journal'), `${JSON.stringify(entry)}\n`);

  /** A process at work. The emulator tells how its invocation ended when it has died. */
  const startWorking = async (functionName: string, error: string | null = 'Worker process died') => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    children.push(child);
    const processId = Number(child.pid);
    rests.push(once(child, 'exit').then(() => write({ event: 'resting', processId, functionName, error })));
    await write({ event: 'working', processId, functionName });
    return processId;
  };

  beforeEach(async () => {
    journal = await Journal.open(inDirectory('journal'));
    children = [];
    rests = [];
  });

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(rests);
    await journal.close();
  });

  it('kills as many as it should, of the functions that were killed least', async () => {
    const [first, , other] = [
      await startWorking('Orders'),
      await startWorking('Orders'),
      await startWorking('Billing'),
    ];
    const killer = new Killer(journal, 2, () => true);
    await killer.run(never);
    expect([first, other].map(isRunning)).toEqual([false, false]);
    expect(Object.fromEntries(killer.killsByFunction)).toEqual({ Orders: 1, Billing: 1 });
    expect(killer.kills).toBe(2);
  });

  it('leaves those alone that may not be killed, and ends when it is told to', async () => {
    const spared = await startWorking('Relay');
    const over = new AbortController();
    const killer = new Killer(journal, 1, (name) => name !== 'Relay');
    const killing = killer.run(over.signal);
    await journal.look();
    over.abort();
    await killing;
    expect([killer.kills, isRunning(spared)]).toEqual([0, true]);
  });

  it('does not count one that had just come to rest', async () => {
    await startWorking('Orders', null);
    const over = new AbortController();
    const killer = new Killer(journal, 1, () => true);
    const killing = killer.run(over.signal);
    await once(children[0] as ChildProcess, 'exit');
    over.abort();
    await killing;
    expect(killer.kills).toBe(0);
  });
});
