import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { exampleCommands } from './commands.ts';

const inDirectory = temporaryDirectory();
const stacks = {
  'examples/canary/app.ts': 'Canary.template.json',
  'examples/two-stacks/app.ts': 'ShopPipeline.template.json',
};
const appOf = (command: string) => /examples\/[\w-]+\/app\.ts/.exec(command)?.[0] ?? '';
const synths = exampleCommands(/^npm run cdk -- synth /);

it('the pages of examples synthesize their apps', () => {
  expect(synths.map(([command]) => appOf(command)).toSorted()).toEqual(Object.keys(stacks));
});

it.each(synths)('%s', async (command, [program = '', ...parameters]) => {
  // What tests turn off for their own synths.
  const { CDK_VALIDATION: _validation, CDK_CONTEXT_JSON: _context, ...env } = process.env;
  const output = inDirectory(appOf(command).replaceAll('/', '-'));
  // Into a folder of its own: other synths may run at the same time.
  await promisify(execFile)(program, [...parameters, '--output', output], {
    cwd: repository,
    env: { ...env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
  });
  const template = stacks[appOf(command) as keyof typeof stacks];
  expect(existsSync(`${output}/${template}`)).toBe(true);
});
