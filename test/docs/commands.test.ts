import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readCommand as readExamples } from '../../examples/high-load/report/options.ts';
import { readCommand as readStart } from '../../examples/order-fulfilment/run-options.ts';
import { commands } from '../../lib/cli/commands.ts';
import { readCommand as readProof } from '../deployment/options.ts';
import { readCommand as readSimulation } from '../simulation/options.ts';
import { readCommand as readSoak } from '../soak/options.ts';
import { runCommandLine, valuesOf } from '../support/command-io.ts';
import { commandsOfPages, wordsOf } from '../support/page-blocks.ts';
import { repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
/** A check of the packed package runs all that it says. */
const followed = 'docs/guide/getting-started.md';
const ofCi = read('.ci/run');
const manifest = JSON.parse(read('package.json'));
const inDirectory = temporaryDirectory();

const found = commandsOfPages();
const here = found.filter(({ needs }) => needs === undefined);
const startsWith =
  (prefix: string) =>
  ({ command }: { command: string }) =>
    command.startsWith(prefix);

/** Scripts that take long have a short form in a test. Those that are not here stand in .ci/run. */
const shortForms: Readonly<Record<string, string>> = {
  booking: 'test/acceptance/booking.test.ts',
  build: 'test/packed/projects.ts',
  compression: 'bench/compression/compression.test.ts',
  contention: 'bench/commands.test.ts',
  cost: 'bench/commands.test.ts',
  examples: 'test/examples/high-load/high-load.test.ts',
  mutation: 'test/mutation/covering-files.test.ts',
  prices: 'test/prices/prices.test.ts',
  release: 'test/bin/package/package.test.ts',
  ric: 'test/ric/ric-instance.test.ts',
  'scatter-gather': 'test/acceptance/scatter-gather.test.ts',
  simulate: 'test/simulation/simulate.test.ts',
  start: 'test/acceptance/start.test.ts',
  // The same pages; `site:build` is in .ci/run.
  site: 'test/docs/site.test.ts',
  soak: 'test/acceptance/soak.proof.ts',
};
/** Those of `bench` read theirs in bench/commands.test.ts. */
const readers: Readonly<Record<string, (args: readonly string[]) => object>> = {
  examples: readExamples,
  'prove-deploy': readProof,
  simulate: (args) => readSimulation(args, () => 1),
  soak: readSoak,
  start: readStart,
};

/** Where CI runs what is neither a script of this repository nor `sagabox` with files of a page. */
const elsewhere: readonly (readonly [command: RegExp, path: string, text: string])[] = [
  [/^npm ci$/, '.ci/run', "step 'npm ci' npm ci"],
  [/^npm test( -- test\/simulation\/(compensation|scatter-gather))?$/, '.ci/run', 'npm test'],
  [/^npm run format$/, '.ci/run', 'npm run --silent check'],
  [/^npx cdk synth --quiet$/, '.ci/run', 'npx cdk synth --quiet'],
  [/^npx sagabox local cdk\.out --send /, 'test/packed/getting-started.ts', 'npx sagabox local'],
  [/^npx sagabox show .*--stack/, 'test/packed/getting-started.ts', 'npx sagabox show'],
  [/^npx sagabox list .*--stack/, 'test/cli/list/list.test.ts', '--stack'],
  [/^npx sagabox redrive .*--stack/, 'test/cli/redrive/redrive.test.ts', '--stack'],
  [/^npx sagabox contracts /, 'test/cli/contracts/contracts.test.ts', '--asyncapi'],
  [/^npx sagabox plan --app /, 'test/cli/plan/app/tables.test.ts', '--app'],
  [/^npx sagabox measure --app /, 'test/cli/measure/app.test.ts', '--app'],
  [/^npx sagabox measure /, 'test/cli/measure/measure.test.ts', 'measure'],
  // The emulator of docs/guide/deploying.md.
  [/^export \w+=/, 'test/deployment/engine/access.ts', 'AWS_ENDPOINT_URL'],
  [
    /^python3 -m venv|^ln -s |^env -u .*ministack$/,
    'test/deployment/engine/python-environment.ts',
    'requirements.txt',
  ],
  [/^\.emulator\/bin\/pip install 'ministack/, 'test/deployment/requirements.txt', 'ministack==1.5.33'],
  [/^npx cdk bootstrap aws:\/\/0{12}\//, 'test/deployment/cdk/cdk.ts', "'bootstrap'"],
  [/^npx cdk deploy '\*\*' --require-approval never$/, 'test/deployment/cdk/cdk.ts', "'--require-approval'"],
  [/^npx cdk diff '\*\*'$/, 'test/deployment/cdk/cdk.ts', "'diff'"],
  [/^npx cdk destroy '\*\*' --force$/, 'test/deployment/cdk/cdk.ts', "'--force'"],
];

const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders';

describe('the commands of the pages', () => {
  it('are found', () => {
    expect(here.length).toBeGreaterThan(50);
    expect(found.filter(({ needs }) => needs !== undefined).length).toBeGreaterThan(30);
  });

  it('run in CI, or their block begins with "# needs an AWS account" or "# needs the AWS CLI"', () => {
    const unknown = here.filter(
      ({ place, command }) =>
        !place.startsWith(followed) &&
        !/^npm (run|start|install) ?/.test(command) &&
        !/^npx sagabox plan --(?!app)/.test(command) &&
        !elsewhere.some(([pattern]) => pattern.test(command)),
    );
    expect(unknown).toEqual([]);
  });

  it.each(elsewhere.map(([pattern, path, text]) => [String(pattern), pattern, path, text] as const))(
    'that are like %s stand on a page, and run in CI',
    (_name, pattern, path, text) => {
      expect(here.some(({ command }) => pattern.test(command))).toBe(true);
      expect(read(path)).toContain(text);
    },
  );

  const ofScripts = here.filter(({ command }) => /^npm (start|run (?!format))/.test(command));

  it.each(ofScripts.map(({ place, command }) => [`${place}: ${command}`, command]))(
    'run by npm: %s',
    (_name, command) => {
      const [, script = '', args = ''] = /^npm (?:run )?(\S+)(?: -- (.*))?$/.exec(command) ?? [];
      expect(Object.keys(manifest.scripts)).toContain(script);
      const shortForm = shortForms[script];
      if (shortForm !== undefined) expect(existsSync(join(repository, shortForm))).toBe(true);
      else expect(ofCi).toMatch(new RegExp(`npm (run --silent )?${script}\\b`));
      expect(readers[script]?.(wordsOf(args)) ?? {}).not.toHaveProperty('refused');
    },
  );

  it.each(
    found.filter(startsWith('npx sagabox ')).map(({ place, command }) => [`${place}: ${command}`, command]),
  )('have options that the command knows: %s', async (_name, command) => {
    const [, , name, ...args] = wordsOf(command.replaceAll(/"\$\w+_URL"/g, queueUrl));
    const entry = commands.find((one) => one.name === name);
    if (entry === undefined) throw new Error(`There is no command ${name}`);
    const definition = await entry.load();
    expect(() => valuesOf(definition, args)).not.toThrow();
  });

  const plans = [...new Set(here.filter(startsWith('npx sagabox plan --')).map(({ command }) => command))];

  it.each(plans.filter((command) => !command.includes('--app')))('plan: %s', async (command) => {
    const files: Readonly<Record<string, string>> = {
      'examples/capacity/orders.yaml': join(repository, 'examples/capacity/orders.yaml'),
      'orders.yaml': join(repository, 'examples/capacity/orders.yaml'),
      'plan.html': inDirectory('plan.html'),
    };
    const [, , ...args] = wordsOf(command).map((word) => files[word] ?? word);
    const { exitCode, err } = await runCommandLine(...args);
    expect([exitCode, err.replace(/^The page is .*$/, '')]).toEqual([0, '']);
  });

  const installed = here.filter(startsWith('npm install '));
  const packages = installed.flatMap(({ command }) =>
    wordsOf(command)
      .slice(2)
      .filter((word) => !word.startsWith('-')),
  );

  it.each([...new Set(packages)].filter((name) => name !== 'sagabox'))(
    'install what is tested: %s',
    (word) => {
      const [, name = '', version = ''] = /^(.[^@]*)(?:@(.*))?$/.exec(word) ?? [];
      const { dependencies, devDependencies } = manifest;
      const ofEngine = JSON.parse(read('test/engine/package.json'));
      const own = {
        ...ofEngine.optionalDependencies,
        ...ofEngine.dependencies,
        ...dependencies,
        ...devDependencies,
      };
      expect(Object.keys(own)).toContain(name);
      expect(own[name].replace(/^\^/, '')).toMatch(new RegExp(`^${version.replace('.', '\\.')}`));
    },
  );
});
