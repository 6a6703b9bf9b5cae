import { execFileSync } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** The sources where no package is installed but the SDK, which is a peer that users have. */
const project = temporaryDirectory();
beforeAll(async () => {
  await cp(join(repository, 'lib'), project('lib'), { recursive: true });
  await mkdir(project('node_modules'));
  await symlink(join(repository, 'node_modules', '@aws-sdk'), project('node_modules', '@aws-sdk'));
  await writeFile(project('package.json'), '{ "type": "module" }');
});

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
    cwd: project(),
    env: { ...env, SAGABOX_DYNAMODB_ENGINE: 'dynamodb-local' },
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({ code: 'Configuration', message: expect.stringContaining(name) });
  expect(output).toContain(`is not installed`);
  expect(output).toContain(`npm install ${command}'`);
});
