import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { repository } from '../source-files.ts';

const configPath = '../../../jest.config.js';

it('nothing that a test file changes of its process is found by the next one', async () => {
  const {
    globalSetup: _start,
    globalTeardown: _stop,
    setupFilesAfterEnv: _clients,
    ...others
  } = (await import(configPath)).default;
  const files = '<rootDir>/test/support/jest/files/{first,second,third}.ts';
  const config = JSON.stringify({ ...others, rootDir: repository, testMatch: [files] });
  const jest = join(repository, 'node_modules/jest/bin/jest.js');
  const flags = ['--conditions=sagabox-source', '--experimental-vm-modules'];
  const { status, stderr } = spawnSync(process.execPath, [...flags, jest, '-i', '--config', config], {
    cwd: repository,
    encoding: 'utf8',
  });
  expect(stderr).toContain('3 passed, 3 total');
  expect(status).toBe(0);
});
