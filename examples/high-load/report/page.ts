import { markdownTable } from '../../../bench/report/tables.ts';
import { type DesignName, designNames, designs } from '../designs.ts';
import type { ReportFigures } from './figures.ts';
import { designTable } from './table.ts';

export const guidePage = new URL('../../../docs/guide/cost-and-scale.md', import.meta.url);

/** The page with its tables between their markers. */
export function withTables(page: string, { date, engine, designs: figures }: ReportFigures): string {
  const measured = markdownTable(designTable(figures, linkTo));
  return withDesigns(replaced(page, 'measured', `Measured on ${date} with ${engine}.\n\n${measured}`));
}

/** The page with the table that says when to choose a design, as the designs have it. */
export function withDesigns(page: string): string {
  const rows = designNames.map((name) => {
    const { when, notWhen } = designs[name];
    return [when, linkTo(name), notWhen];
  });
  const head = ['if', 'design', 'do not use it if'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return replaced(page, 'designs', lines.join('\n'));
}

function replaced(page: string, marker: string, content: string): string {
  const block = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!block.test(page)) throw new Error(`docs/guide/cost-and-scale.md has no marker '${marker}'`);
  return page.replace(block, (_all, start: string, end: string) => `${start}\n${content}\n\n${end}`);
}

function linkTo(name: DesignName): string {
  return `[${designs[name].title}](../../examples/high-load/${name}/README.md)`;
}
