import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { GatheringForm } from '../../test/support/gathering/definitions.ts';
import { type GatheringOutcome, runGathering } from '../../test/support/gathering/load.ts';
import type { Engines } from '../../test/support/own-engines/engines.ts';
import { repository } from '../../test/support/source-files.ts';
import { countCalls } from '../fleet/count-calls.ts';
import { formatSeconds, formatUnits, formatWhole } from '../report/format.ts';
import { type LabeledRow, markdownTable, type Table, tableOf } from '../report/tables.ts';
import type { ScatterGatherOptions } from './options.ts';

const widths = [1000, 32, 2] as const;

export interface WidthFigures extends ReturnType<typeof countCalls> {
  readonly width: number;
  readonly coalesce: boolean;
  readonly outcome: GatheringOutcome;
}

/** One after another, on the same engines: what gathering takes, once all replies wait. */
export async function measureWidths(
  engines: Engines,
  { requests, workers, outbox, seed }: ScatterGatherOptions,
  interrupt: AbortSignal,
): Promise<WidthFigures[]> {
  const forms = widths.flatMap((width) => [true, false].map((coalesce) => ({ width, coalesce, outbox })));
  const figures: WidthFigures[] = [];
  const measure = async (form: GatheringForm, count: number) => {
    const recorder = new CallRecorder();
    const load = { ...form, requests: count, workers, seed, kills: 0, duplicates: 0, atOnce: true };
    const outcome = await runGathering(
      engines,
      { ...load, visibilityTimeoutSeconds: 60 },
      { interrupt, watch: (client) => void recorder.watch(client) },
    );
    const { width, coalesce } = form;
    return { width, coalesce, outcome, ...countCalls(recorder.calls, count) };
  };
  // For the engines and the code to be as fast as they get.
  await measure({ width: 32, coalesce: true, outbox }, Math.min(requests, 100));
  for (const form of forms) figures.push(await measure(form, requests));
  return figures;
}

export function widthTable(figures: readonly WidthFigures[]): Table {
  const rows = figures.map(
    (row): LabeledRow<WidthFigures> => [
      `${formatWhole(row.width)}, ${row.coalesce ? 'committed together' : 'one by one'}`,
      row,
    ],
  );
  return tableOf('width', rows, [
    ['conflicts', ({ conflicts }) => conflicts, formatWhole],
    ['WCU per reply', ({ wcuPerMessage }) => wcuPerMessage, formatUnits],
    ['of refused writes, per reply', ({ refusedWcuPerMessage }) => refusedWcuPerMessage, formatUnits],
    ['RCU per reply', ({ rcuPerMessage }) => rcuPerMessage, formatUnits],
    ['calls per reply', ({ callsPerMessage }) => callsPerMessage, formatUnits],
    ['time', ({ outcome }) => outcome.seconds, formatSeconds],
  ]);
}

const page = join(repository, 'docs/guide/scatter-gather.md');

/** In place of the table that the guide has. */
export async function writeGuide(table: Table): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [written] = /^\| width \|.*\n(?:\|.*\n)+/m.exec(text) ?? [];
  if (written === undefined) throw new Error(`${page} has no table of widths`);
  await writeFile(
    page,
    text.replace(written, () => `${markdownTable(table)}\n`),
  );
}
