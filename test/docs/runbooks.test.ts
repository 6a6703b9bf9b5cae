import { expect, it } from '@jest/globals';
import { readPage, section } from '../support/page-tables.ts';

const page = readPage('guide/runbooks.md');
const headings = [...page.matchAll(/^## .+$/gm)].map(([heading]) => heading);
const awsCommand = /\baws (\w+) ([a-z]+-[a-z-]+)/g;

it.each(headings)('docs/guide/runbooks.md names the rights of the calls under "%s"', (heading) => {
  const text = section(page, heading);
  const called = [...text.matchAll(awsCommand)].map(
    ([, service, name = '']) => `${service}:${actionOf(name)}`,
  );
  expect(called.filter((action) => !text.includes(`\`${action}\``))).toEqual([]);
});

it('docs/guide/runbooks.md has calls', () => {
  expect(page.match(awsCommand)?.length).toBeGreaterThan(8);
});

/** The action that the command calls, as IAM names it. */
function actionOf(command: string): string {
  return command.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
