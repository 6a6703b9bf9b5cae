/** Entry of `npm run check`: format, lint, types, and the words of the pages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, flag, print, readCommandLine, runCommand } from '../support/command.ts';
import { repository } from '../support/source-files.ts';
import { filesThatNeed, foldersWithPackages } from './own-packages.ts';

const usage = `npm run check

Checks format and lint of the code, its types, and the words of the pages. Files that need packages of a folder are
type-checked if these are installed, as the first command does that needs them.

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

function passes(script: string, ...args: readonly string[]): boolean {
  return spawnSync(process.execPath, [script, ...args], { cwd: repository, stdio: 'inherit' }).status === 0;
}

/** The settings of the compiler, without the files that need packages which are not there. */
function settings(missing: readonly string[]): string {
  const file = join(repository, 'tsconfig.json');
  if (missing.length === 0) return file;
  const without = filesThatNeed(missing);
  print(
    `Types of ${without.length} files: not checked, as the packages of ${missing.join(', ')} are not installed (--all installs them)`,
  );
  const { exclude } = JSON.parse(readFileSync(file, 'utf8'));
  const cache = join(repository, 'node_modules', '.cache', 'check');
  mkdirSync(cache, { recursive: true });
  const paths = [...exclude, ...without].map((path) => join(repository, path));
  writeFileSync(join(cache, 'tsconfig.json'), JSON.stringify({ extends: file, exclude: paths }));
  return join(cache, 'tsconfig.json');
}

async function run({ all }: { readonly all: boolean }): Promise<number> {
  const isInstalled = (folder: string) => existsSync(join(repository, folder, 'node_modules'));
  const missing = all ? [] : foldersWithPackages.filter((folder) => !isInstalled(folder));
  const checked = foldersWithPackages.filter((folder) => !missing.includes(folder));
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
