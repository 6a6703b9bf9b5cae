import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { filesIn, repository } from '../support/source-files.ts';
import { exampleCommands } from './commands.ts';

/** What each prints, or a part of it. That of observability is longer: its own test runs it. */
const outputs: Readonly<Record<string, RegExp>> = {
  'fifo-ledger': /^(order of deliveries [1-3]: \{ ann: 25, bob: 25 \}\n){3}$/,
  'http-api': /^an order: 202, the handler has run\n[\s\S]*\nmessages sent: 1\n$/,
  'scatter-gather': /After it: \{\n {2}status: 'timedOut',\n {2}results: 1,\n {2}given: 97,\n {2}missing: 3,/,
};

const runs = exampleCommands(/^npx (--no-install )?node (?!.*observability)/);
const fileOf = (words: readonly string[]) => words.at(-1) ?? '';

describe('an example', () => {
  it('has its run in the command of its page', () => {
    const files = filesIn('examples', '/run.ts').filter((file) => !file.includes('observability'));
    expect(runs.map(([, words]) => fileOf(words)).toSorted()).toEqual(files);
    expect(Object.keys(outputs)).toEqual(files.map((file) => basename(dirname(file))));
  });

  it.each(runs)('runs: %s', async (_command, words) => {
    const parameters = words.slice(words.indexOf('node') + 1);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, parameters, {
      cwd: repository,
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(outputs[basename(dirname(fileOf(words)))] ?? 'a part of what it prints');
  });
});
