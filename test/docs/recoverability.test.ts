import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { redriveUsage } from '../../lib/cli/redrive/options.ts';
import { relayUsage } from '../../lib/cli/relay/options.ts';

const readDocs = async (name: string) =>
  await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it.each([
  ['redrive', redriveUsage.slice(redriveUsage.indexOf('  --from'))],
  ['relay', relayUsage.slice(relayUsage.indexOf('  --endpoint'))],
])('docs/cli.md tells the options of %s', async (command, usage) => {
  const optionsOf = (text: string) => new Set(text.match(/--(?!help\b)[a-z][a-z-]+/g));
  const sections = (await readDocs('cli.md')).split(/^## /m);
  const section = sections.find((text) => text.startsWith(`\`sagabox ${command}\``)) ?? '';
  expect(optionsOf(section)).toEqual(optionsOf(usage));
});
