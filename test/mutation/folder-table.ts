/** What this project reads of Stryker's report. */
export interface MutationReport {
  /** By the file's path from the root. */
  readonly files: Readonly<Record<string, MutatedFile>>;
}

interface MutatedFile {
  /** `RuntimeError` when no test could be run with it, for a cause that is not a failed test. */
  readonly mutants: readonly { readonly status: Status | 'RuntimeError' | 'Ignored' }[];
}

/** The counts of a folder, in the order of the columns. */
const columns = ['Killed', 'Timeout', 'Survived', 'NoCoverage'] as const;
type Status = (typeof columns)[number];

/** The mutants that could be tested, by folder, in Markdown. */
export function folderTable({ files }: MutationReport): string {
  const byFolder = Map.groupBy(Object.entries(files), ([file]) => folderOf(file));
  const rows = [...byFolder]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, ofFolder]) =>
      row(
        folder,
        ofFolder.map(([, file]) => file),
      ),
    );
  return [
    '| folder | mutants | killed | timeout | survived | no coverage | score |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    row('all', Object.values(files)),
  ].join('\n');
}

/** 'lib/saga' for each file below it. */
function folderOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function row(folder: string, files: readonly MutatedFile[]): string {
  const mutants = files.flatMap((file) => file.mutants);
  const counts = columns.map((column) => mutants.filter(({ status }) => status === column).length);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const [killed = 0, timeout = 0] = counts;
  const score = (100 * (killed + timeout)) / all;
  return `| ${folder} | ${[all, ...counts].join(' | ')} | ${score.toFixed(1)} % |`;
}
