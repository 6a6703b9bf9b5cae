import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { toSeconds } from '../../lib/core/duration.ts';
import { environmentVariables } from '../../lib/core/environment-variables.ts';
import { errorRules } from '../../lib/core/failures/errors.ts';
import { headerNames } from '../../lib/core/incoming/headers.ts';
import { defaults } from '../../lib/middleware/defaults.ts';

const readDocs = async (name: string) =>
  await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('docs/errors.md lists every code, and whether it is retryable', async () => {
  const rows = [...(await readDocs('errors.md')).matchAll(/^\| `(\w+)` \| (yes|no) \|/gm)];
  expect(Object.fromEntries(rows.map(([, code, retryable]) => [code, retryable === 'yes']))).toEqual(
    Object.fromEntries(Object.entries(errorRules).map(([code, rule]) => [code, rule.retryable === true])),
  );
});

it('docs/options.md states the defaults of the code', async () => {
  const options = await readDocs('options.md');
  const days = toSeconds(defaults.deduplicationPeriod) / 86_400;
  expect(options).toContain(`| \`concurrency\` | ${defaults.concurrency} |`);
  expect(options).toContain(`| \`deduplicationPeriod\` | ${days} days, or`);
  for (const variable of Object.values(environmentVariables)) expect(options).toContain(`\`${variable}\``);
});

it('docs/architecture.md lists every message attribute', async () => {
  const rows = [
    ...(await readDocs('architecture.md')).matchAll(/^\| `(Sagabox\.\w+|traceparent|content-type)` \|/gm),
  ];
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.values(headerNames).sort());
});
