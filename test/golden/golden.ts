/** Entry of `npm run golden`: what users depend on, compared with how it was recorded. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { exitCodes, flag, print, readCommandLine, runCommand } from '../support/command.ts';
import { repository } from '../support/source-files.ts';
import { apiReport } from './api-report.ts';
import { bundleSizes, bundleSizesDiffer } from './bundle-sizes.ts';
import { differingLines } from './differing-lines.ts';
import { errorTable } from './error-table.ts';
import { statementTable } from './statement-table.ts';
import { goldenTemplates } from './templates.ts';

const usage = `Compares what users depend on with the files of test/golden/recorded: the templates of all apps, what roles
may do, the public types of the package, the table of errors, and the sizes of bundles. The stored items are compared by npm test.

Usage: npm run golden -- [options]

  --update   record what there is now, in a commit that changes nothing else and says why
  --help     this text

Exit code: 0 if everything is as recorded, 1 if not, 2 for options that are not understood.
`;

const folder = join(import.meta.dirname, 'recorded');

/** What a recorded file would hold now. */
interface Golden {
  readonly name: string;
  /** `undefined` if the file is recorded, and nothing makes it any more. */
  readonly content: string | undefined;
  /** Lines that tell how it differs from what is recorded; lines of both are compared if this is left out. */
  readonly differs?: (recorded: string, now: string) => readonly string[];
}

async function goldens(signal: AbortSignal): Promise<readonly Golden[]> {
  const [templates, api, sizes] = await Promise.all([goldenTemplates(signal), apiReport(), bundleSizes()]);
  const made: readonly Golden[] = [
    ...Object.entries(templates).map(([stack, content]) => ({ name: `templates/${stack}.json`, content })),
    { name: 'statements.txt', content: statementTable(templates) },
    { name: 'api.d.ts.txt', content: api },
    { name: 'errors.txt', content: errorTable() },
    { name: 'bundle-sizes.json', content: sizes, differs: bundleSizesDiffer },
  ];
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const recorded = files
    .filter((file) => file.isFile())
    .map((file) => relative(folder, join(file.parentPath, file.name)));
  const leftOver = recorded.filter((name) => !made.some((golden) => golden.name === name));
  return [...made, ...leftOver.map((name) => ({ name, content: undefined }))];
}

/** @returns the lines that tell how one differs, none if it does not */
async function compare({ name, content, differs = differingLines }: Golden): Promise<readonly string[]> {
  if (content === undefined) return ['nothing makes it any more'];
  const recorded = await readFile(join(folder, name), 'utf8').catch(() => '');
  return recorded === content ? [] : differs(recorded, content);
}

async function record({ name, content }: Golden): Promise<void> {
  const path = join(folder, name);
  if (content === undefined) return await rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

async function run({ update }: { readonly update: boolean }, signal: AbortSignal): Promise<number> {
  print('Synthesizing the apps, and building the package ...');
  let differing = 0;
  for (const golden of await goldens(signal)) {
    if (update) {
      await record(golden);
      continue;
    }
    const lines = await compare(golden);
    if (lines.length === 0) continue;
    differing += 1;
    print([`${relative(repository, join(folder, golden.name))} differs:`, ...lines].join('\n'));
  }
  if (update) print('Recorded: see git diff test/golden');
  else if (differing === 0) print('OK, everything is as recorded');
  else print("FAILED. If the change is meant, 'npm run golden -- --update' records it.");
  return differing === 0 ? exitCodes.ok : exitCodes.failed;
}

process.exitCode = await runCommand(
  readCommandLine(process.argv.slice(2), usage, { update: flag }, (values) => values),
  usage,
  run,
);
