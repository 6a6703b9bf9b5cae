import type { MutatedFile, MutationReport } from './report.ts';

/** The counts of a folder, in the order of the columns. */
const columns = ['Killed', 'Timeout', 'Survived', 'NoCoverage'] as const;

type Counts = Record<(typeof columns)[number], number>;

/** A table of the mutants by folder, in Markdown: those that could be tested. */
export function folderTable({ files }: MutationReport): string {
  const byFolder = Map.groupBy(Object.entries(files), ([file]) => folderOf(file));
  const rows = [...byFolder]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, ofFolder]) => row(folder, countsOf(ofFolder.map(([, file]) => file))));
  return [
    '| folder | mutants | killed | timeout | survived | no coverage | score |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    row('all', countsOf(Object.values(files))),
  ].join('\n');
}

/** Each adapter has tests of its own. */
function folderOf(file: string): string {
  return file
    .split('/')
    .slice(0, file.startsWith('lib/adapters/') ? 3 : 2)
    .join('/');
}

function countsOf(files: readonly MutatedFile[]): Counts {
  const mutants = files.flatMap((file) => file.mutants);
  const count = (column: string) => mutants.filter(({ status }) => status === column).length;
  return Object.fromEntries(columns.map((column) => [column, count(column)])) as Counts;
}

function row(folder: string, counts: Counts): string {
  const numbers = columns.map((column) => counts[column]);
  const mutants = numbers.reduce((sum, number) => sum + number, 0);
  const score = (100 * (counts.Killed + counts.Timeout)) / mutants;
  return `| ${folder} | ${[mutants, ...numbers].join(' | ')} | ${score.toFixed(1)} % |`;
}
