import { formatKB, formatMillis, formatRatio, formatWhole as whole } from '../report/format.ts';
import { markdownTable, plainTable } from '../report/tables.ts';
import type { Frame } from './call-chains.ts';
import { changes } from './changes.ts';
import type { Lines } from './lines.ts';
import type { House } from './measure.ts';

type Row = readonly [what: string, now: string];

const notMeasured = 'not measured';
const constructs = 'lib/constructs';

/** The table of `npm run house`, as Markdown. */
export function houseTable(house: House): string {
  const { lines, folders, warmPath, bundle, pages, installed, testRun } = house;
  const rows: Row[] = [
    ['lib: lines of code / files', codeAndFiles(lines)],
    ['constructs: lines of code / files', codeAndFiles(folders[constructs])],
    [
      'functions of lib on the stack from the batch handler to the first SDK call, and from the dispatch to SendMessageBatch',
      `${frames(warmPath.toFirstCall)}, and ${frames(warmPath.toSend)}`,
    ],
    [
      'files that a warm SQS record / a request through outboxSession touches (one message sent by each)',
      `${warmPath.filesOfRecord.length} / ${warmPath.filesOfRequest.length}`,
    ],
    [
      'files of lib that name an example of each change',
      Object.entries(house.changes)
        .map(([change, files]) => `${change} (${changes[change as keyof typeof changes]}) ${files.length}`)
        .join(', '),
    ],
    [
      `files of constructs that name ${changes['a prop']}`,
      whole(house.changes['a prop'].filter((path) => path.startsWith(`${constructs}/`)).length),
    ],
    [
      'fields of classes that another file assigns',
      [house.sharedState.length, house.sharedState.map(({ field }) => field).join(', ') || 'none'].join(': '),
    ],
    ['files with exactly one importer and at most 60 lines', whole(house.loneImports.length)],
    [
      'base names that occur more than once in lib, index.ts apart',
      whole(Object.keys(house.repeatedNames).length),
    ],
    ['50 docstrings taken at random: unclear', `${notMeasured}: a reader judges it`],
    ['bundle of a function with one plain saga, minified / gzipped', size(bundle.size)],
    ["load of that bundle after the SDK, against Powertools' batch and idempotency", loadOf(bundle.loadMs)],
    ['CHANGELOG', formatKB(pages.changelogBytes / 1000)],
    [
      "docs: users' / maintainers' pages, lines",
      `${whole(pages.lines.users)} / ${whole(pages.lines.maintainers)}`,
    ],
    ['install: packages / size', `${whole(installed.packages)} / ${whole(installed.mebibytes)} MiB`],
    ['npm test: processor time / time', testRun ? times(testRun) : `${notMeasured}: pass --test`],
    ['.ci/run: time', `${notMeasured}: run it by itself`],
  ];
  return markdownTable({ head: ['what', 'now'], rows });
}

/** Lines and files of each folder, with all that is below it. */
export function foldersTable(folders: Readonly<Record<string, Lines>>): string {
  const rows = Object.entries(folders).map(([folder, { files, code, comments, blank }]) => [
    folder,
    ...[files, code, comments, blank].map(whole),
  ]);
  return plainTable({ head: ['folder', 'files', 'code', 'comments', 'blank'], rows });
}

function codeAndFiles(lines: Lines = { files: 0, code: 0, comments: 0, blank: 0 }): string {
  const { files, code, comments, blank } = lines;
  return `${whole(code)} (and ${whole(comments)} of comments, ${whole(blank)} blank) / ${whole(files)}`;
}

function frames(chain: readonly Frame[]): string {
  return `${chain.length} (${chain.filter(({ name }) => name !== '').length} with a name)`;
}

function size({ kB, gzipKB }: House['bundle']['size']): string {
  return `${formatKB(kB)} / ${formatKB(gzipKB)}`;
}

function loadOf(loadMs: House['bundle']['loadMs']): string {
  if (loadMs === undefined) {
    return `${notMeasured}: Powertools is not installed, npm run bench needs it too`;
  }
  const { sagabox, powertools } = loadMs;
  const ratio = formatRatio(sagabox / powertools);
  return `${formatMillis(sagabox)} against ${formatMillis(powertools)}, ${ratio} times`;
}

function times({ processorSeconds, seconds }: NonNullable<House['testRun']>): string {
  return `${whole(processorSeconds)} s / ${whole(seconds)} s`;
}
