/** Entry of `npm run lint-templates`: cfn-lint over the templates of every app of the repository. */
import { dirname, join } from 'node:path';
import { exitCodes, print, readCommandLine, runCommand } from '../support/command.ts';
import { runTogether } from '../support/load-kill-verify/run-together.ts';
import { withFolder } from '../support/with-folder.ts';
import { apps, synthesize, withoutBundles } from './cdk/assemblies.ts';
import { readTemplates } from './cdk/templates.ts';
import { pythonEnvironment } from './engine/python-environment.ts';
import { runProgram } from './engine/run-program.ts';

const usage = `Checks the templates of the sample app, of the app of the deployment proof with its updates, of the canary example, and of the
acceptance tests' order journey with cfn-lint. Needs Python 3.10 or newer.

Usage: npm run lint-templates

  --help   this text

Exit code: 0 when cfn-lint finds nothing, 1 when it finds something, 2 for options that are not understood, or if there is no such Python.
`;

const assemblies: readonly [name: string, app: string, context: Readonly<Record<string, unknown>>][] = [
  ['sample', apps.sample, {}],
  // It only adds to what the app has without.
  ['proof-updated', apps.proof, { updated: true }],
  ['canary', apps.canary, {}],
  ['order-journey', apps.orderJourney, {}],
];

async function run(_options: object, signal: AbortSignal): Promise<number> {
  const { python } = await pythonEnvironment(signal, print);
  return await withFolder('sagabox-templates-', async (directory) => {
    const found = await runTogether(
      signal,
      assemblies.map(([name, app, context]) => async (own: AbortSignal) => {
        await synthesize(app, join(directory, name), own, { ...context, ...withoutBundles });
        return await readTemplates(join(directory, name));
      }),
    );
    const templates = found.flat().map(({ file }) => file);
    const configuration = join(import.meta.dirname, 'cfnlint.yaml');
    const { exitCode, output } = await runProgram(
      join(dirname(python), 'cfn-lint'),
      ['--config-file', configuration, '--', ...templates],
      { signal, accepted: Array.from({ length: 32 }, (_, code) => code) },
    );
    print(output.trim());
    print(`${exitCode === 0 ? 'OK' : 'FAILED'}, ${templates.length} templates`);
    return exitCode === 0 ? exitCodes.ok : exitCodes.failed;
  });
}

process.exitCode = await runCommand(
  readCommandLine(process.argv.slice(2), usage, {}, (none) => none),
  usage,
  run,
);
