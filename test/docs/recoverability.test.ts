import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { failureLimits } from '../../lib/core/failures/failure-facts.ts';
import { MAX_RETRY_SECONDS } from '../../lib/flow/recoverability/recoverability.ts';
import { defaults } from '../../lib/middleware/defaults.ts';

const readDocs = async (name: string) =>
  await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('docs/recoverability.md states the numbers of the code', async () => {
  const page = await readDocs('recoverability.md');
  const { immediateRetries, delayedRetries, timeMargins } = defaults;
  const { maxRetries, baseDelayMs, maxDelayMs } = immediateRetries;
  expect(page).toContain(`up to ${maxRetries} times, after up to ${baseDelayMs}, ${2 * baseDelayMs}, `);
  expect(page).toContain(`${maxDelayMs} ms`);
  expect(page).toContain(
    `after up to ${delayedRetries.baseDelaySeconds}, ${2 * delayedRetries.baseDelaySeconds}, `,
  );
  expect(page).toContain(`${delayedRetries.maxDelaySeconds} s, by how often`);
  expect(page).toContain(`0 to ${MAX_RETRY_SECONDS} seconds`);
  for (const [name, ms] of Object.entries(timeMargins))
    expect(page).toContain(`\`timeMargins.${name}\` ${ms} ms`);
  expect(failureLimits).toEqual({ messageBytes: 16 * 1024, stackBytes: 16 * 1024 });
  expect(page.match(/cut at 16 KB/g)).toHaveLength(2);
});

it('docs/options.md states the defaults of recoverability', async () => {
  const page = await readDocs('options.md');
  const { delayedRetries, timeMargins } = defaults;
  expect(page).toContain(
    `\`baseDelaySeconds\` ${delayedRetries.baseDelaySeconds}, \`maxDelaySeconds\` ${delayedRetries.maxDelaySeconds}`,
  );
  const { startMs, abortMs, giveUpMs } = timeMargins;
  expect(page).toContain(`\`startMs\` ${startMs}, \`abortMs\` ${abortMs}, \`giveUpMs\` ${giveUpMs}`);
});
