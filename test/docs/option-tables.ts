import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Option } from 'commander';
import { commands } from '../../lib/cli/commands.ts';
import { WorkloadOption, workloadFileOption, workloadOptions } from '../../lib/cli/plan/workload-options.ts';

export const commandPage = new URL('../../docs/reference/cli.md', import.meta.url);

/** The page with the tables of options between its markers, as the definitions of the commands say. */
export async function withOptionTables(page: string): Promise<string> {
  const tables = new Map([['workload', tableOf(workloadOptions)]]);
  for (const { name, load } of commands) {
    const { options } = await load();
    const own = options.filter((option) => !(option instanceof WorkloadOption));
    tables.set(
      name,
      tableOf(name === 'measure' ? own.filter((option) => option !== workloadFileOption) : own),
    );
  }
  return page.replaceAll(
    /(<!-- options: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => `${start}\n${tables.get(name)}\n${end}`,
  );
}

function tableOf(options: readonly Option[]): string {
  const rows = options.map((option) => {
    const key = option instanceof WorkloadOption ? [code(option.key + (option.negate ? ': false' : ''))] : [];
    return [code(option.flags), ...key, descriptionOf(option)];
  });
  const head = rows[0]?.length === 3 ? ['option', 'key', ''] : ['option', ''];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function descriptionOf({ description, argChoices = [], envVar }: Option): string {
  const choices = argChoices.length === 0 ? '' : ` (choices: ${argChoices.map(code).join(', ')})`;
  const variable = envVar === undefined ? '' : ` (environment: ${code(envVar)})`;
  return `${description.replaceAll('<', '&lt;')}${choices}${variable}`;
}

function code(value: string): string {
  return `\`${value}\``;
}

// node --conditions=sagabox-source test/docs/option-tables.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(commandPage, await withOptionTables(readFileSync(commandPage, 'utf8')));
