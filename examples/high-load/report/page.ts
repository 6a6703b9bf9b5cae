import { markdownTable } from '../../../bench/report/tables.ts';
import { designNames, designs } from '../designs.ts';
import type { ReportFigures } from './figures.ts';
import { designTable } from './table.ts';

export const guidePage = new URL('../../../docs/guide/high-load.md', import.meta.url);

/** The page with its tables between their markers. */
export function withTables(page: string, { date, engine, designs: figures }: ReportFigures): string {
  const measured = markdownTable(
    designTable(figures, (name) => `[${designs[name].title}](#${anchorOf(designs[name].title)})`),
  );
  return withNotes(replaced(page, 'measured', `Measured on ${date} with ${engine}.\n\n${measured}`));
}

/** The lines that say when not to use a design, as the designs have them. */
export function withNotes(page: string): string {
  return designNames.reduce(
    (text, name) =>
      replaced(
        text,
        name,
        `**Do not use it** if ${designs[name].notWhen}\nRun it: \`npm run examples -- ${name}\`.`,
      ),
    page,
  );
}

function replaced(page: string, marker: string, content: string): string {
  const block = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!block.test(page)) throw new Error(`docs/guide/high-load.md has no marker '${marker}'`);
  return page.replace(block, (_all, start: string, end: string) => `${start}\n${content}\n\n${end}`);
}

/** As GitHub derives it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
