import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';

/** The sources where no package is installed but the SDK, which is a peer that users have. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sagabox-no-packages-'));
  await cp(join(repository, 'lib'), join(project, 'lib'), { recursive: true });
  await mkdir(join(project, 'node_modules'));
  await symlink(join(repository, 'node_modules', '@aws-sdk'), join(project, 'node_modules', '@aws-sdk'));
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => await rm(project, { recursive: true, force: true }));

it.each([
  ['fauxqs', '--save-dev fauxqs', 'engines/sqs/emulator.ts', 'startSqsEmulator()'],
  [
    'amplify-dynamodb-simulator',
    '--save-dev amplify-dynamodb-simulator',
    'engines/dynamodb.ts',
    'startDynamoDB()',
  ],
  ['aws-cdk-lib', 'aws-cdk-lib', 'app/cloud-assembly.ts', "readCloudAssembly('cdk.out')"],
])('%s that is not installed is named, with the command that installs it', (name, command, module, call) => {
  const script = `
    import * as local from './lib/local/${module}';
    const { code, message } = await local.${call}.catch((error) => error);
    console.log(JSON.stringify({ code, message }));
  `;
  const { SAGABOX_DYNAMODB_ENDPOINT: _, ...env } = process.env;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project,
    env: { ...env, SAGABOX_DYNAMODB_ENGINE: 'dynamodb-local' },
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({ code: 'Configuration', message: expect.stringContaining(name) });
  expect(output).toContain(`is not installed`);
  expect(output).toContain(`npm install ${command}'`);
});
