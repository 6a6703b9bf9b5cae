import { readFileSync } from 'node:fs';

/** What this project reads of Stryker's report. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/** The counts of a folder, in the order of the columns. */
const columns = ['Killed', 'Timeout', 'Survived', 'NoCoverage'] as const;

type Counts = Record<(typeof columns)[number], number>;

/** A table of the mutants by folder, in Markdown. */
export function folderTable(reportFile: string): string {
  const { files } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  const folders = new Map<string, Counts>();
  for (const [file, { mutants }] of Object.entries(files)) {
    for (const folder of [file.split('/').slice(0, 2).join('/'), 'all']) {
      const counts = folders.get(folder) ?? { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
      for (const column of columns)
        counts[column] += mutants.filter(({ status }) => status === column).length;
      folders.set(folder, counts);
    }
  }
  const rows = [...folders].sort(([one], [other]) =>
    one === 'all' ? 1 : other === 'all' ? -1 : one < other ? -1 : 1,
  );
  return [
    '| folder | mutants | killed | timeout | survived | no coverage | score |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(([folder, counts]) => row(folder, counts)),
  ].join('\n');
}

function row(folder: string, counts: Counts): string {
  const numbers = columns.map((column) => counts[column]);
  const mutants = numbers.reduce((sum, number) => sum + number, 0);
  const score = (100 * (counts.Killed + counts.Timeout)) / mutants;
  return `| ${folder} | ${[mutants, ...numbers].join(' | ')} | ${score.toFixed(1)} % |`;
}
