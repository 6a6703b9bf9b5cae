import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, errorMessages } from '../../lib/kernel/errors/errors.ts';
import type { ErrorMessage } from '../../lib/kernel/errors/retryable.ts';
import { repository } from '../support/source-files.ts';

export const errorPage = new URL('../../docs/reference/errors.md', import.meta.url);

/** What the errors of a file are about: the headings of the page, in its order. */
const subjects = {
  'saga-errors.ts': 'Sagas',
  'delivery-errors.ts': 'Duplicates and retries',
  'incoming-errors.ts': 'Incoming messages',
  'sending-errors.ts': 'Outgoing messages',
  'table-errors.ts': 'Tables',
  'session-errors.ts': 'Sessions',
  'scatter-gather-errors.ts': 'Scatter-gather',
  'setting-errors.ts': 'Settings',
  'test-errors.ts': 'Tests',
} as const;

interface DocumentedError {
  readonly code: ErrorCode;
  readonly cause: string;
  readonly remedy: string;
}

/** The page with the errors between its markers, as the docstrings of their messages say. */
export function withErrors(page: string): string {
  const groups = Object.entries(subjects).map(([file, subject]) => ({ subject, errors: errorsIn(file) }));
  const documented = groups.flatMap(({ errors }) => errors.map(({ code }) => code));
  const missing = Object.keys(errorMessages).filter((code) => !documented.includes(code as ErrorCode));
  if (missing.length > 0) throw new Error(`Without a docstring of cause and @remedy: ${missing.join(', ')}`);
  const rows = groups.map(({ subject, errors }) => {
    const [retryable, others] = [true, false].map((wanted) =>
      errors.filter(({ code }) => isRetryable(code) === wanted).map(linkTo),
    );
    return `| ${subject} | ${retryable?.join(', ')} | ${others?.join(', ')} |`.replaceAll('|  |', '| |');
  });
  const table = ['| of | retryable | not retryable |', '|---|---|---|', ...rows].join('\n');
  const sections = groups.map(({ subject, errors }) =>
    [`## ${subject}`, ...errors.map(sectionOf)].join('\n\n'),
  );
  const content = [table, ...sections].join('\n\n');
  return page.replace(
    /(<!-- errors -->\n)[\s\S]*?(<!-- end -->)/,
    (_all, start: string, end: string) => `${start}\n${content}\n\n${end}`,
  );
}

function errorsIn(file: string): DocumentedError[] {
  const text = readFileSync(join(repository, 'lib/kernel/errors', file), 'utf8');
  return [...text.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+): (?:retryable\(\s*)?\(/gm)].map(
    ([, docstring = '', code = '']) => {
      const [cause = '', remedy = ''] = docstring.replace(/^ *\* ?/gm, '').split('@remedy ');
      if (cause.trim() === '' || remedy.trim() === '')
        throw new Error(`The docstring of ${code} has no cause or no @remedy`);
      return { code: code as ErrorCode, cause: lines(cause), remedy: lines(remedy) };
    },
  );
}

function isRetryable(code: ErrorCode): boolean {
  const { retryable }: ErrorMessage<never> = errorMessages[code];
  return retryable === true;
}

function linkTo({ code }: DocumentedError): string {
  return `[\`${code}\`](#${code.toLowerCase()})`;
}

function sectionOf({ code, cause, remedy }: DocumentedError): string {
  const retryable = isRetryable(code) ? 'Yes' : 'No';
  return `### \`${code}\`\n\n- **Retryable.** ${retryable}.\n- **Cause.** ${cause}\n- **Remedy.** ${remedy}`;
}

/** A line for each sentence, in an item of a list. Docstrings name pages by their files. */
function lines(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\]\((docs\/[\w/-]+\.md)/g, (_link, path: string) => `](${relative('docs/reference', path)}`)
    .replace(/(?<=\.) (?=[A-Z`])/g, '\n  ');
}

// node --conditions=sagabox-source test/docs/error-page.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(errorPage, withErrors(readFileSync(errorPage, 'utf8')));
