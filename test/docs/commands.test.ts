import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readCommand as readExamples } from '../../examples/high-load/report/options.ts';
import { readCommand as readStart } from '../../examples/order-fulfilment/run-options.ts';
import { commands } from '../../lib/cli/commands.ts';
import { readCommand as readProof } from '../deployment/options.ts';
import { readCommand as readSimulation } from '../simulation/options.ts';
import { readCommand as readSoak } from '../soak/options.ts';
import { runCommandLine, valuesOf } from '../support/command-io.ts';
import { blocksIn, commandsOfPages, wordsOf } from '../support/page-blocks.ts';
import { cells } from '../support/samples.ts';
import { filesIn, repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
/** A check of the packed package runs all that it says. */
const followed = 'docs/guide/getting-started.md';
const ofCi = read('.ci/run') + read('.ci/full');
const manifest = JSON.parse(read('package.json'));
const inDirectory = temporaryDirectory();

const found = commandsOfPages();
const here = found.filter(({ needs }) => needs === undefined);
const startsWith =
  (prefix: string) =>
  ({ command }: { command: string }) =>
    command.startsWith(prefix);

/**
 * Scripts that take long have a short form in a test. Those that are not here stand in .ci/run. The test starts the
 * script's file, or calls what the script calls.
 */
const shortForms: Readonly<Record<string, readonly [path: string, call?: string]>> = {
  booking: ['test/acceptance/booking.proof.ts', 'runBookings'],
  build: ['test/packed/projects.ts', 'buildPackage'],
  compression: ['bench/compression/compression.test.ts', 'measure'],
  contention: ['bench/contention/command.proof.ts'],
  cost: ['bench/commands.proof.ts'],
  examples: ['test/examples/high-load/high-load.proof.ts', 'measureDesign'],
  house: ['bench/house/command.proof.ts'],
  // Stryker itself needs hours; what is ours is the choice of tests and the table.
  mutation: ['test/mutation/covering-files.test.ts', 'folderTable'],
  prices: ['test/prices/prices.test.ts'],
  release: ['test/bin/package/release.proof.ts'],
  ric: ['test/ric/ric-instance.proof.ts', 'new RicInstance'],
  'scatter-gather': ['test/acceptance/scatter-gather.proof.ts', 'runGathering'],
  simulate: ['test/simulation/simulate.proof.ts'],
  start: ['test/acceptance/start/sample-run.ts'],
  soak: ['test/acceptance/soak.proof.ts', 'runSoak'],
};
/** Shows the pages as it goes; the other makes the same site. */
const sameSite: Readonly<Record<string, string>> = { site: 'site:build' };
/** Whether a file starts the one of a script, or calls what that calls. */
function runsIn(script: string, path: string, call?: string): boolean {
  const entry = /[\w./-]+\.ts$/.exec(manifest.scripts[script])?.[0] ?? '';
  if (call === undefined) return new RegExp(`['/]${basename(entry)}'`).test(read(path));
  return [path, entry].every((file) => read(file).includes(`${call}(`));
}

/** Those of `bench` read theirs in bench/commands.proof.ts. */
const readers: Readonly<Record<string, (args: readonly string[]) => object>> = {
  examples: readExamples,
  'prove-deploy': readProof,
  simulate: (args) => readSimulation(args, () => 1),
  soak: readSoak,
  start: readStart,
};

/**
 * Where CI runs what is neither a script of this repository nor `sagabox` with files of a page. All texts stand in
 * one test of that file, or in one function that its tests call.
 */
const elsewhere: readonly (readonly [command: RegExp, path: string, ...texts: string[]])[] = [
  [/^npm ci$/, '.ci/run', "step 'npm ci' npm ci"],
  [/^npm test( -- test\/simulation\/(compensation|scatter-gather))?$/, '.ci/run', 'run_tests npm test'],
  [/^npm run format$/, '.ci/run', 'npm run --silent check'],
  [/^npx cdk synth --quiet$/, '.ci/run', 'npm run --silent cdk -- synth --quiet'],
  [
    /^npx (--no-install )?node .* examples\/(?!observability)[\w-]+\/run\.ts$/,
    'test/examples/run.proof.ts',
    'exampleCommands(/^npx (--no-install )?node ',
  ],
  [
    /^npx --no-install node .* examples\/observability\/run\.ts$/,
    'test/examples/observability/observability.proof.ts',
    'process.execPath',
    "['--conditions=sagabox-source', 'examples/observability/run.ts']",
  ],
  // It follows the guide: runs the commands that begin so.
  [
    /^npx sagabox local cdk\.out --send /,
    'test/packed/getting-started.ts',
    "command.includes('npx sagabox local')",
  ],
  [/^npx sagabox show .*--stack/, 'test/cli/show/show.test.ts', 'runOnEngines(', "'show'", "'--stack'"],
  [/^npx sagabox list .*--stack/, 'test/cli/list/list.test.ts', 'runOnEngines(', "'list'", "'--stack'"],
  [
    /^npx sagabox redrive .*--stack/,
    'test/cli/redrive/redrive.test.ts',
    'runOnEngines(',
    "'redrive'",
    "'--stack'",
  ],
  [
    /^npx sagabox contracts /,
    'test/cli/contracts/contracts.test.ts',
    'runCommandLine(',
    "'contracts'",
    "'--asyncapi'",
  ],
  [/^npx sagabox plan --app /, 'test/cli/plan/app/planned-apps.ts', "runCommandLine('plan', '--app'"],
  [
    /^npx sagabox measure --app /,
    'test/cli/measure/app.proof.ts',
    "runCommandLine('measure'",
    "'--app'",
    "'--queue'",
    "'--messages'",
  ],
  [/^npx sagabox measure /, 'test/cli/measure/measure.proof.ts', 'runProgram(', "'measure'", "'--saga-size'"],
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
  [/^npx cdk destroy '\*\*' --force$/, 'test/deployment/cdk/cdk.ts', "'destroy'", "'--force'"],
];

/** The tests and functions of a file, each from its first line; another file is one part. */
function partsOf(path: string): string[] {
  const text = read(path);
  return /\.(test|proof)\.ts$/.test(path) ? text.split(/^(?= *it\b|(?:async )?function |const )/m) : [text];
}

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

  it('of this repository stand in blocks that begin with "# in a clone of the repository"', () => {
    // The others are for readers who have cloned it.
    const blocks = [...filesIn('docs', '.md'), ...filesIn('examples', '.md')].flatMap((page) =>
      blocksIn(read(page)).flatMap((block) => (block.kind === 'commands' ? [{ page, ...block }] : [])),
    );
    const isOfRepository = (command: string) =>
      /(^|&& )npm (ci|test|start|run)\b|--conditions=sagabox-source/.test(command);
    const wrong = blocks.filter(
      ({ needs, isInClone, commands }) =>
        needs === undefined && isInClone !== commands.some((command) => isOfRepository(command)),
    );
    expect(wrong).toEqual([]);
  });

  it('of this repository that stand in a sentence are on a page that says where to run them', () => {
    const pages = [...filesIn('docs', '.md'), ...filesIn('examples', '.md')].filter((page) =>
      /`npm (ci|test|start|run)\b/.test(read(page)),
    );
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter((page) => !/in a clone of the repository/i.test(read(page)))).toEqual([]);
  });

  it.each(elsewhere.map(([pattern, path, ...texts]) => [String(pattern), pattern, path, texts] as const))(
    'that are like %s stand on a page, and run in CI',
    (_name, pattern, path, texts) => {
      expect(here.some(({ command }) => pattern.test(command))).toBe(true);
      const places = partsOf(path).filter((part) => texts.every((text) => part.includes(text)));
      expect([path, texts, places.length > 0]).toEqual([path, texts, true]);
    },
  );

  const ofScripts = here.filter(({ command }) => /^npm (start|run (?!format))/.test(command));

  it.each(ofScripts.map(({ place, command }) => [`${place}: ${command}`, command]))(
    'run by npm: %s',
    (_name, command) => {
      const [, script = '', args = ''] = /^npm (?:run )?(\S+)(?: -- (.*))?$/.exec(command) ?? [];
      expect(Object.keys(manifest.scripts)).toContain(script);
      const shortForm = shortForms[script];
      if (shortForm !== undefined) expect(runsIn(script, ...shortForm)).toBe(true);
      else expect(ofCi).toMatch(new RegExp(`npm (run --silent )?${sameSite[script] ?? script}\\b`));
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

  // Charts take as long as all the rest.
  const planned = cells(plans, (command) => !command.includes('--html'));
  it.each(planned.filter((command) => !command.includes('--app')))('plan: %s', async (command) => {
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
      const ofCommands = filesIn('test', 'packages/package.json').map(
        (path) => JSON.parse(read(path)).devDependencies,
      );
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      const own = Object.assign({}, ...ofCommands, optionalDependencies, dependencies, devDependencies);
      expect(Object.keys(own)).toContain(name);
      expect(own[name].replace(/^\^/, '')).toMatch(new RegExp(`^${version.replace('.', '\\.')}`));
    },
  );
});
