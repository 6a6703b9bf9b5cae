import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { fixtureAssembly } from '../../local/fixture-app.ts';
import { descendantsOf, isListening, isRunning } from '../../support/processes.ts';
import { repository } from '../../support/source-files.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';

const project = directoryOfTest();

describe('sagabox local in the background, whose npx ends', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'by %s leaves no engine, no function and no port behind',
    async (signal) => {
      await mkdir(project('node_modules/.bin'), { recursive: true });
      await symlink(repository, project('node_modules/sagabox'));
      await symlink('../sagabox/bin/sagabox.js', project('node_modules/.bin/sagabox'));
      await writeFile(project('package.json'), '{"private":true}');
      await writeFile(
        project('messages.json'),
        '[{ "type": "Work", "body": { "id": "a", "fate": "spin" } }]',
      );
      const args = ['sagabox', 'local', fixtureAssembly, '--json'];
      const messages = ['--send', 'messages.json', '--queue', 'Fixture-Work'];
      const npx = spawn('npx', [...args, ...messages], {
        cwd: project(),
        env: {
          PATH: process.env.PATH,
          TMPDIR: project(),
          NODE_OPTIONS: '--conditions=sagabox-source',
          npm_config_cache: project('npm'),
          npm_config_update_notifier: 'false',
        },
        // In the background, a terminal tells it nothing.
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      let endpoint = '';
      for await (const line of createInterface({ input: npx.stdout })) {
        const event = JSON.parse(line);
        endpoint = event.environment?.AWS_ENDPOINT_URL ?? endpoint;
        if (event.event === 'log') break;
      }
      const started = descendantsOf(npx.pid ?? 0);
      // A shell, the command, the engine, the function, and what watches over the last two.
      expect(started.filter(isRunning).length).toBeGreaterThan(5);
      expect(await isListening(endpoint)).toBe(true);
      npx.kill(signal);
      if (npx.exitCode === null && npx.signalCode === null) await once(npx, 'exit');
      await waitUntil(() => !started.some(isRunning));
      expect(await isListening(endpoint)).toBe(false);
    },
  );
});
