import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  sagaOutboxChecks,
  sessionChecks,
  sqsBatchChecks,
  watchOutboxChecks,
} from '../../lib/compose/assert-options.ts';
import { repository } from '../support/source-files.ts';
import { withLinks } from './linked-mentions.ts';

export const optionPage = new URL('../../docs/reference/options.md', import.meta.url);

/** The declarations of options, in the order of the tables. */
const declarations = {
  endpoint: declared('compose/options.ts', 'EndpointOptions'),
  hooks: declared('observe/hooks.ts', 'FlowHooks'),
  sagaOutbox: declared('compose/options.ts', 'SagaOutboxOptions'),
  contracts: declared('messages/contracts/listed-contracts.ts', 'ListedContracts'),
  envelope: declared('messages/envelope.ts', 'EnvelopeOptions'),
  sqsBatch: declared('compose/options.ts', 'SqsBatchOptions'),
  recoverability: declared('compose/recoverability-options.ts', 'RecoverabilityOptions'),
  session: declared('compose/session/session-options.ts', 'SessionOptions'),
  caller: declared('compose/session/session-options.ts', 'OutboxSessionOptions'),
  watcher: declared('compose/relay/watch-options.ts', 'WatchOutboxOptions'),
};

interface Option {
  readonly name: string;
  readonly meaning: string;
  /** An expression, or prose: after a dash, or with a word before its first space. */
  readonly default: string;
}

const tables: Readonly<Record<string, () => string>> = {
  handler: () => {
    const { recoverability, ...others } = optionsOf(
      [...new Set([...Object.keys(sagaOutboxChecks), ...Object.keys(sqsBatchChecks)])],
      ['endpoint', 'hooks', 'sagaOutbox', 'contracts', 'envelope', 'sqsBatch'],
    );
    if (recoverability === undefined) throw new Error('There is no option recoverability');
    const parts = [...declarations.recoverability.values()].map((part) => {
      return { ...part, name: `${recoverability.name}.${part.name}` };
    });
    const rows = [...Object.values(others), ...parts].map((option) => {
      const [name = ''] = option.name.split('.');
      const takers = [sagaOutboxChecks, sqsBatchChecks].map((checks) => (name in checks ? '✓' : ''));
      return [...cellsOf(option), ...takers];
    });
    return table(['option', 'default', 'meaning', '`sagaOutbox`', '`sqsBatch`'], rows);
  },
  session: () => {
    const own = Object.keys(sessionChecks).filter((name) => !(name in sagaOutboxChecks));
    const options = optionsOf(own, ['session', 'caller']);
    return table(['option of a session', 'default', 'meaning'], Object.values(options).map(cellsOf));
  },
  watcher: () => {
    const options = optionsOf(Object.keys(watchOutboxChecks), ['watcher']);
    return table(['option of `watchOutbox`', 'default', 'meaning'], Object.values(options).map(cellsOf));
  },
};

/** The names of the tables, in the order of the page. */
export const optionTableNames = Object.keys(tables);

/** The page with the tables of options between its markers, as their docstrings say. */
export function withHandlerOptions(page: string): string {
  return page.replaceAll(
    /(<!-- handler options: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => `${start}\n${tables[name]?.()}\n${end}`,
  );
}

/** The options of these names, in the order of their declarations; of two with one name, the first one counts. */
function optionsOf(
  names: readonly string[],
  places: readonly (keyof typeof declarations)[],
): Record<string, Option> {
  const found = places.flatMap((place) => [...declarations[place].values()]);
  const wanted = names.filter((name) => name !== internal);
  const missing = wanted.filter((wantedName) => !found.some(({ name }) => name === wantedName));
  if (missing.length > 0) throw new Error(`Without a docstring: ${missing.join(', ')}`);
  const first = found.filter(({ name }, at) => wanted.includes(name) && indexOf(found, name) === at);
  return Object.fromEntries(first.map((option) => [option.name, option]));
}

function indexOf(options: readonly Option[], sought: string): number {
  return options.findIndex(({ name }) => name === sought);
}

/** An option for the tests of sagabox itself, with `@internal`. */
const internal = 'ports';

function declared(file: string, type: string): Map<string, Option> {
  const text = readFileSync(join(repository, 'lib', file), 'utf8');
  const [declaration = ''] =
    new RegExp(`(?:interface|type) ${type}\\b[\\s\\S]*?\\n(?:\\}| {2}\\);)\\n`).exec(text) ?? [];
  const options = [...declaration.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n +(\w+)\??: /g)].map(
    ([, docstring = '', name = '']): Option => {
      const [meaning = '', ...tags] = docstring
        .replace(/^ *\* ?/gm, '')
        .trim()
        .split(/(?<=^|\n|\s)@(?=[a-z]+\b)/);
      const ofDefault = tags.find((tag) => tag.startsWith('default ')) ?? '';
      return { name, meaning: oneLine(meaning), default: oneLine(ofDefault.slice('default'.length)) };
    },
  );
  return new Map(options.map((option) => [option.name, option]));
}

function cellsOf(option: Option): string[] {
  return [code(option.name), defaultOf(option), cell(withLinks(option.meaning))];
}

function defaultOf({ default: value }: Option): string {
  if (value === '') return '';
  if (!/^(?:- |[a-z]+,? )/.test(value)) return code(value);
  return cell(withLinks(value.replace(/^- /, '').replace(/\b(?:SAGABOX|AWS)_[A-Z_]+/g, '`$&`')));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), `|${'---|'.repeat(head.length)}\n`, ...rows.map(line)].join('');
}

function code(value: string): string {
  return cell(`\`${value}\``);
}

function cell(value: string): string {
  return value.replaceAll('|', '\\|');
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

// node --conditions=sagabox-source test/docs/handler-options.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(optionPage, withHandlerOptions(readFileSync(optionPage, 'utf8')));
