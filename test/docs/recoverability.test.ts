import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { redriveUsage } from '../../lib/cli/redrive/options.ts';
import { relayUsage } from '../../lib/cli/relay/options.ts';
import { failureLimits } from '../../lib/core/failures/failure-facts.ts';
import { MAXIMUM_RETRY_SECONDS } from '../../lib/flow/recoverability/recoverability.ts';
import { defaults } from '../../lib/middleware/defaults.ts';

const readDocs = async (name: string) =>
  await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('docs/guide/recoverability.md states the numbers of the code', async () => {
  const page = await readDocs('guide/recoverability.md');
  const { immediateRetries, delayedRetries, timeMargins } = defaults;
  const { maximumRetries, baseDelayMs, maximumDelayMs } = immediateRetries;
  expect(page).toContain(`up to ${maximumRetries} times, after up to ${baseDelayMs}, ${2 * baseDelayMs}, `);
  expect(page).toContain(`${maximumDelayMs} ms`);
  expect(page).toContain(
    `after up to ${delayedRetries.baseDelaySeconds}, ${2 * delayedRetries.baseDelaySeconds}, `,
  );
  expect(page).toContain(`${delayedRetries.maximumDelaySeconds} s, by how often`);
  expect(page).toContain(`0 to ${MAXIMUM_RETRY_SECONDS} seconds`);
  for (const [name, ms] of Object.entries(timeMargins))
    expect(page).toContain(`\`timeMargins.${name}\` ${ms} ms`);
  expect(failureLimits).toEqual({ messageBytes: 16 * 1024, stackBytes: 16 * 1024 });
  expect(page.match(/cut at 16 KB/g)).toHaveLength(2);
});

it('docs/reference/options.md states the defaults of recoverability', async () => {
  const page = await readDocs('reference/options.md');
  const { delayedRetries, timeMargins } = defaults;
  expect(page).toContain(
    `\`baseDelaySeconds\` ${delayedRetries.baseDelaySeconds}, \`maximumDelaySeconds\` ${delayedRetries.maximumDelaySeconds}`,
  );
  const { startMs, abortMs, giveUpMs } = timeMargins;
  expect(page).toContain(`\`startMs\` ${startMs}, \`abortMs\` ${abortMs}, \`giveUpMs\` ${giveUpMs}`);
});

it.each([
  ['redrive', redriveUsage.slice(redriveUsage.indexOf('  --from'))],
  ['relay', relayUsage.slice(relayUsage.indexOf('  --endpoint'))],
])('docs/reference/cli.md tells the options of %s', async (command, usage) => {
  const optionsOf = (text: string) => new Set(text.match(/--(?!help\b)[a-z][a-z-]+/g));
  const sections = (await readDocs('reference/cli.md')).split(/^## /m);
  const section = sections.find((text) => text.startsWith(`\`sagabox ${command}\``)) ?? '';
  expect(optionsOf(section)).toEqual(optionsOf(usage));
});
