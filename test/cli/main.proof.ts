import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../support/command-io.ts';
import { createQueue, sqsClient } from '../support/engines.ts';
import { receiveMessages, sendTo } from '../support/received-records.ts';
import { repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const temporary = temporaryDirectory();

describe('the program sagabox', () => {
  it('ends in peace when nobody reads its output any more, as behind head', async () => {
    const entries = [
      ['bin/sagabox.ts', '--help'],
      ['bench/compression.ts', '--help'],
    ] as const;
    for (const [entry, option] of entries) {
      const program = spawn(process.execPath, [
        '--conditions=sagabox-source',
        join(repository, entry),
        option,
      ]);
      const [err] = [text(program.stderr), program.stdout.destroy()];
      const [exitCode] = await once(program, 'close');
      expect([exitCode, await err]).toEqual([0, '']);
    }
  });

  it('runs a command', async () => {
    const sqs = sqsClient();
    const [errors, orders] = [await createQueue(), await createQueue()];
    await sendTo(sqs, errors, { id: 'm1', type: 'Placed', body: {} });
    const args = ['redrive', '--from', errors, '--to', orders, '--json', '--max', '1'];
    const { exitCode, out, err } = await runProgram(args);
    expect([exitCode, err]).toEqual([0, '1 moved, 0 left out, 0 failed\n']);
    expect(JSON.parse(out)).toMatchObject({ moved: 1, failed: 0 });
    expect(await receiveMessages(sqs, orders)).toHaveLength(1);
  });

  it('runs what was built where there are no sources, as in the published package', async () => {
    for (const path of ['bin', 'lib']) await mkdir(temporary(path), { recursive: true });
    await copyFile(join(repository, 'package.json'), temporary('package.json'));
    await copyFile(join(repository, 'bin/sagabox.js'), temporary('bin/sagabox.js'));
    await writeFile(temporary('lib/cli.js'), "console.log('built', process.argv[2]);");
    const { stdout } = spawnSync(process.execPath, [temporary('bin/sagabox.js'), 'plan'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    expect(stdout).toBe('built plan\n');
  });
});
