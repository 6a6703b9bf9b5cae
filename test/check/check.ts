/** Entry of `npm run check`: format, lint, types, and the words of the pages. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes, flag, print, readCommandLine, runCommand } from '../support/command.ts';
import { repository } from '../support/source-files.ts';

const usage = `npm run check

Checks format and lint of the code, its types, and the words of the pages. The code of a folder with packages of its own is
type-checked if they are installed, as the command does that needs them.

  --all    installs the packages of all folders, and type-checks everything
  --help   this text

Exit code: 0 if all is well, 1 if not, 2 for options that are not understood, 130 when interrupted.
`;

const own = join(import.meta.dirname, 'node_modules');
const everyWarning = ['--diagnostic-level=warn', '--error-on-warnings'];
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'THIRD-PARTY.md',
  'docs/**/*.md',
];
/** Whose code imports packages of their own. */
const folders = globSync('**/packages/package-lock.json', {
  cwd: repository,
  exclude: (name) => name === 'node_modules',
})
  .map((file) => dirname(dirname(file)))
  .filter((folder) => globSync(`${folder}/*.ts`, { cwd: repository }).length > 0)
  .sort();

function passes(...[script, ...args]: [script: string, ...args: string[]]): boolean {
  return spawnSync(process.execPath, [script, ...args], { cwd: repository, stdio: 'inherit' }).status === 0;
}

/** The settings of the compiler, without the folders whose packages are not there. */
function settings(missing: readonly string[]): string {
  const file = join(repository, 'tsconfig.json');
  if (missing.length === 0) return file;
  print(
    `Types of ${missing.join(', ')}: not checked, their packages are not installed (--all installs them)`,
  );
  const { exclude } = JSON.parse(readFileSync(file, 'utf8'));
  const cache = join(repository, 'node_modules', '.cache', 'check');
  mkdirSync(cache, { recursive: true });
  const without = { extends: file, exclude: [...exclude, ...missing].map((path) => join(repository, path)) };
  writeFileSync(join(cache, 'tsconfig.json'), JSON.stringify(without));
  return join(cache, 'tsconfig.json');
}

async function run({ all }: { readonly all: boolean }): Promise<number> {
  const isInstalled = (folder: string) => existsSync(join(repository, folder, 'node_modules'));
  const checked = all ? folders : folders.filter(isInstalled);
  const missing = folders.filter((folder) => !checked.includes(folder));
  const isWell =
    passes('bin/check-prerequisites.js', '--node-only', ...checked) &&
    passes(join(own, '@biomejs/biome/bin/biome'), 'check', ...everyWarning, '.') &&
    passes('node_modules/typescript/bin/tsc', '-p', settings(missing)) &&
    passes(join(own, 'textlint/bin/textlint.js'), ...pages);
  return isWell ? exitCodes.ok : exitCodes.failed;
}

process.exitCode = await runCommand(
  readCommandLine(process.argv.slice(2), usage, { all: flag }, (values) => values),
  usage,
  run,
);
