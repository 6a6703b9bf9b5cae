import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../../lib/cli/commands.ts';
import { repository } from '../support/source-files.ts';
import { wrongUsesCode } from '../types/wrong-uses.ts';
import { gettingStarted } from './getting-started.ts';
import { assertOwnDeclarations, type Compilation } from './own-declarations.ts';
import { packageRules } from './package-rules.ts';
import { execute, installedPath, type PackedProjects } from './projects.ts';
import { assertWrongUses, wrongUsesFile } from './wrong-uses.ts';

/** One thing that must work in a project of a user. */
export interface Check {
  readonly name: string;
  /** Whether it is in the short form: one compiler, one Node, and no other packages. */
  readonly isShort?: boolean;
  /** @throws Error with the output of the program that failed */
  run(): Promise<unknown>;
}

/** 5.8 is the first that lets CommonJS import ES modules (`module: nodenext`). */
const compilers = {
  '5.4': 'typescript-5.4',
  '5.8': 'typescript-5.8',
  '6': 'typescript-6',
  '7': 'typescript',
} as const;
type Compiler = keyof typeof compilers;

/** How imports are looked up; `preserve` is for bundlers. */
type ModuleOption = 'node16' | 'nodenext' | 'preserve';

const strict = '--strict --exactOptionalPropertyTypes --target es2022 --lib es2023 --types node'.split(' ');

/** The oldest Node that the package supports. */
const oldestNode = join(import.meta.dirname, 'node_modules/.bin/node');

/** Several run at a time: the longest come first. */
export function checksOf({
  esModules,
  commonJs,
  withoutEngines,
  withMiddy6,
  withNested,
  tarball,
}: PackedProjects): readonly Check[] {
  const installedPackage = join(esModules, '../node_modules/sagabox');
  const commandLine = join(installedPackage, 'bin/sagabox.js');
  const node = (cwd: string, ...parameters: string[]) => execute(process.execPath, parameters, { cwd });
  const onOldestNode = (cwd: string, ...parameters: string[]) => execute(oldestNode, parameters, { cwd });
  const program = (cwd: string, path: string, ...parameters: string[]) =>
    node(cwd, installedPath(path), ...parameters);
  const typeScript = (cwd: string, compiler: Compiler, module: ModuleOption, ...options: string[]) =>
    program(cwd, join(compilers[compiler], 'bin', 'tsc'), ...strict, '--module', module, ...options);
  const compile = (cwd: string, compiler: Compiler, module: ModuleOption, ...options: string[]) =>
    typeScript(cwd, compiler, module, ...options, 'whole-api.ts');
  const resultOf = (compiling: Promise<Compilation>): Promise<Compilation> =>
    compiling.then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout = '' }) => ({ code, stdout }),
    );
  // With TypeScript 7, the tests of the sources do it.
  const wrongUses = (compiler: Compiler, module: ModuleOption): Check => ({
    name: `wrong uses of contracts in TypeScript ${compiler}`,
    run: async () => {
      await writeFile(join(esModules, wrongUsesFile), wrongUsesCode);
      const options = ['--skipLibCheck', '--noEmit', '--pretty', 'false', wrongUsesFile];
      const { stdout } = await resultOf(typeScript(esModules, compiler, module, ...options));
      assertWrongUses(stdout);
    },
  });
  const types = (cwd: string, kind: string, compiler: Compiler, module: ModuleOption): Check => ({
    name: `types of ${kind} in TypeScript ${compiler}, module ${module}`,
    isShort: kind === 'ES modules' && compiler === '7' && module === 'nodenext',
    run: () => compile(cwd, compiler, module, '--skipLibCheck', '--noEmit'),
  });
  // For composite projects, and packages of sagas that several functions share.
  const declarations = (cwd: string, layout: string, compiler: Compiler): Check => ({
    name: `declarations of definitions in TypeScript ${compiler}, with ${layout} dependencies`,
    run: () => {
      const module = compiler === '5.4' ? 'node16' : 'nodenext';
      const emitted = ['--declaration', '--emitDeclarationOnly', '--outDir', `declared-${compiler}`];
      const options = ['--skipLibCheck', '--allowImportingTsExtensions', ...emitted];
      return typeScript(cwd, compiler, module, ...options, 'shared-definitions.ts', 'shared-tests.ts');
    },
  });
  const jest = (cwd: string, file: string) =>
    execute(process.execPath, [join(repository, 'node_modules/jest/bin/jest.js'), file], {
      cwd,
      env: {
        ...process.env,
        NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
      },
    });
  const bundle = (entry: string, ...options: string[]) => {
    const esbuild = join(repository, 'node_modules/.bin/esbuild');
    const parameters = [entry, '--bundle', '--platform=node', '--log-level=warning', ...options];
    return execute(esbuild, parameters, { cwd: esModules });
  };

  return [
    gettingStarted(installedPackage),
    {
      name: 'types of ES modules in TypeScript 5.4, module node16, with the own declarations checked',
      run: async () => {
        const options = ['--noEmit', '--pretty', 'false'];
        assertOwnDeclarations(await resultOf(compile(esModules, '5.4', 'node16', ...options)));
      },
    },
    {
      name: 'an ES module in TypeScript',
      isShort: true,
      run: () => node(esModules, 'whole-api.ts'),
    },
    {
      name: 'CommonJS that TypeScript 5.8 has made of it, with the synth of a stack, on Node 22.12 and 24',
      run: async () => {
        await compile(commonJs, '5.8', 'nodenext', '--skipLibCheck', '--outDir', 'built');
        await node(commonJs, 'built/whole-api.js');
        await onOldestNode(commonJs, 'built/whole-api.js');
      },
    },
    {
      name: 'Middy 6: types in TypeScript 6, on Node 22.12 and 24',
      run: async () => {
        const options = ['--skipLibCheck', '--outDir', 'built', 'middy-handler.ts'];
        await typeScript(withMiddy6, '6', 'nodenext', ...options);
        await node(withMiddy6, 'built/middy-handler.js');
        await onOldestNode(withMiddy6, 'built/middy-handler.js');
      },
    },
    {
      name: 'Middy 7: types in TypeScript 7',
      run: async () => {
        await typeScript(esModules, '7', 'nodenext', '--skipLibCheck', '--noEmit', 'middy-handler.ts');
        await node(esModules, 'middy-handler.ts');
      },
    },
    ...packageRules(tarball).map((rule) => ({ ...rule, isShort: true })),
    types(commonJs, 'CommonJS', '5.4', 'preserve'),
    types(commonJs, 'CommonJS', '7', 'nodenext'),
    types(esModules, 'ES modules', '7', 'nodenext'),
    types(esModules, 'ES modules', '6', 'nodenext'),
    types(esModules, 'ES modules', '7', 'preserve'),
    wrongUses('5.4', 'node16'),
    wrongUses('5.8', 'nodenext'),
    ...(Object.keys(compilers) as Compiler[]).flatMap((compiler) => [
      declarations(esModules, 'flat', compiler),
      declarations(withNested, 'nested', compiler),
    ]),
    { name: 'Jest with CommonJS, without a configuration', run: () => jest(commonJs, 'jest.test.cjs') },
    { name: 'Jest with ES modules, without a configuration', run: () => jest(esModules, 'jest.test.mjs') },
    { name: 'Vitest', run: () => program(esModules, 'vitest/vitest.mjs', 'run', 'vitest.test.mjs') },
    { name: 'require on Node 22.12', run: () => onOldestNode(commonJs, '--test', 'require.test.cjs') },
    {
      name: 'require on Node 24',
      isShort: true,
      run: () => node(commonJs, '--test', 'require.test.cjs'),
    },
    { name: 'node:test on Node 22.12', run: () => onOldestNode(esModules, '--test', 'node.test.mjs') },
    { name: 'node:test on Node 24', run: () => node(esModules, '--test', 'node.test.mjs') },
    { name: 'stack traces of errors in a handler', run: () => node(esModules, 'stack-trace.mjs') },
    { name: 'a client that is not installed', run: () => node(esModules, 'missing-client.js') },
    {
      name: 'a bundle in CommonJS',
      run: async () => {
        await bundle('missing-client.js', '--format=cjs', '--outfile=bundle.cjs');
        await node(esModules, 'bundle.cjs');
      },
    },
    {
      name: 'a minified bundle with source maps',
      run: async () => {
        const maps = ['--minify', '--sourcemap', '--sources-content=false'];
        await bundle(
          'minified.js',
          '--format=esm',
          ...maps,
          '--external:@aws-sdk/*',
          '--outfile=minified.mjs',
        );
        await node(esModules, '--enable-source-maps', 'minified.mjs');
      },
    },
    { name: 'engines that are not installed', run: () => node(withoutEngines, 'missing-engines.mjs') },
    {
      name: 'sagabox --version, and --help of each command',
      isShort: true,
      run: async () => {
        const { version } = JSON.parse(await readFile(join(installedPackage, 'package.json'), 'utf8'));
        const sagabox = (...parameters: string[]) => node(esModules, commandLine, ...parameters);
        const { stdout: told } = await sagabox('--version');
        if (told.trim() !== version) throw new Error(`The version is ${version}, not ${told}`);
        const { stdout: help } = await sagabox('--help');
        const listed = [...help.matchAll(/^ {2}([a-z]+) /gm)].flatMap(([, name]) => name ?? []);
        const missing = commands.filter(({ name }) => !listed.includes(name)).map(({ name }) => name);
        if (missing.length > 0) throw new Error(`--help lacks ${missing}:\n${help}`);
        for (const { name } of commands) {
          const { stdout } = await sagabox(name, '--help');
          if (!stdout.includes(`sagabox ${name}`)) throw new Error(`--help of ${name} is\n${stdout}`);
        }
      },
    },
    {
      name: 'sagabox --help and plan on Node 22.12, as on Node 24',
      run: async () => {
        const shape = ['--messages-per-second', '200', '--saga-size', '1000', '--outgoing', '1'];
        for (const parameters of [['--help'], ['plan', '--help'], ['plan', ...shape]]) {
          const { stdout } = await onOldestNode(esModules, commandLine, ...parameters);
          assert.equal(stdout, (await node(esModules, commandLine, ...parameters)).stdout);
        }
      },
    },
  ];
}
