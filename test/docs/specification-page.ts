import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, repository } from '../support/source-files.ts';
import { testTitles } from './test-titles.ts';

export const specificationPage = join(repository, 'docs/proof/specification.md');

/** Words that the situation of a test begins with that shows no invariant. */
const words = new Map([
  ['Behaviour', 'What users rely on beside the invariants'],
  ['Cost', 'Calls, and units of DynamoDB'],
  ['Command', 'Commands of the repository that run the same at length'],
]);

/** A test of `test/acceptance`, under what it shows. */
export interface AcceptanceTest {
  readonly file: string;
  /** Names of invariants, or one of the words. */
  readonly shows: readonly string[];
  readonly situation: string;
  readonly holds: string;
}

/** Names of the invariants, with what each of them means on the architecture page. */
export function invariants(): Map<string, string> {
  const page = readFileSync(join(repository, 'docs/design/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (I\d) \| (.*) \|$/gm)];
  return new Map(rows.map(([, name = '', meaning = '']) => [name, meaning]));
}

/** Tests of `test/acceptance`, by their files. */
export function acceptanceTests(): AcceptanceTest[] {
  const files = [
    ...filesIn('test/acceptance', '.test.ts'),
    ...filesIn('test/acceptance', '.proof.ts'),
  ].sort();
  return files.flatMap((file) =>
    testTitles(readFileSync(join(repository, file), 'utf8')).map(({ situations, holds }) => {
      const [, names = '', first = ''] = /^([\w, ]+): (.*)$/.exec(situations[0] ?? '') ?? [];
      const situation = [first, ...situations.slice(1)].map(readable).join(' ');
      return { file, shows: names === '' ? [] : names.split(', '), situation, holds: readable(holds) };
    }),
  );
}

/** Tests whose outermost `describe` begins with neither invariants nor one of the words. */
export function misnamed(tests: readonly AcceptanceTest[]): AcceptanceTest[] {
  const known = invariants();
  return tests.filter(({ shows: [first = '', ...others] }) => {
    return !(words.has(first) && others.length === 0) && ![first, ...others].every((name) => known.has(name));
  });
}

/** A title with an ellipsis for the cases that it is filled with; those that only follow it are left out. */
function readable(title: string): string {
  return title.replace(/: %\w(, %\w)*$| \(%\w\)$/, '').replace(/(%[sdij]|\$\w+)( (%[sdij]|\$\w+))*/g, '…');
}

/** The page as the titles of the tests have it. */
export function specification(): string {
  const tests = acceptanceTests();
  const sections = [...invariants(), ...words].map(([name, meaning]) => {
    return `## ${name}\n\n${meaning}.\n\n${listOf(tests.filter(({ shows }) => shows.includes(name)))}`;
  });
  return [head, ...sections].join('\n');
}

const head = `# Specification

You can look up which situations show that an [invariant](../design/architecture.md#the-invariants) holds; an entry is under each invariant that its situation is about.
Each entry is a test of \`test/acceptance\`: a situation with the file that has it, and below it what holds there.
These tests run on DynamoDB engines and on emulators of SQS and other services, and end functions between two calls.
An ellipsis stands for each of several cases, which the file lists.
The page is generated from the titles of the tests.
`;

function listOf(tests: readonly AcceptanceTest[]): string {
  const situations = Map.groupBy(tests, ({ file, situation }) => `- ${situation} (\`${basename(file)}\`)`);
  return [...situations]
    .flatMap(([line, held]) => [line, ...held.map(({ holds }) => `  - ${holds}`)])
    .map((line) => `${line}\n`)
    .join('');
}

// node --conditions=sagabox-source test/docs/specification-page.ts
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(specificationPage, specification());
