/** Entry of `npm run contention`: many messages of one saga, and what they cost in each concurrency mode. */
import { isDeepStrictEqual } from 'node:util';
import { runCommand, writeJson } from '../test/support/command.ts';
import { withEngines } from '../test/support/own-engines/engines.ts';
import type { ContenderName } from './contention/contenders.ts';
import { contentionOn } from './contention/measure.ts';
import { type ContentionOptions, readCommand, usage } from './contention/options.ts';
import { againstPessimistic, type ContentionFigures, complaints } from './contention/summary.ts';
import { concludeMeasured } from './control/conclude-measured.ts';
import { MachineControl } from './control/machine-control.ts';
import { boundComplaints, boundedLoad } from './limits/contention-bounds.ts';
import { formatRatio } from './report/format.ts';
import { contentionTable } from './report/sections.ts';
import { plainTable } from './report/tables.ts';

/** Of the mode and the pessimistic one, whose times differ from round to round. Odd: the median is one. */
const rounds = 11;
const part = 'contention';

async function run(options: ContentionOptions, interrupt: AbortSignal): Promise<number> {
  const { mode, jsonFile, ...load } = options;
  const control = new MachineControl();
  return await withEngines(async (engines, signal) => {
    const measure = async <Name extends ContenderName>(names: readonly Name[], roundCount: number) => {
      const depth = { ...load, warmUpMessages: Math.min(load.messages, 40), rounds: roundCount };
      return await contentionOn(engines, names, depth, { signal, progress: () => {}, control });
    };
    const contention = await control.during<ContentionFigures>(part, async () =>
      mode === 'pessimistic'
        ? await measure(['pessimistic', 'blindSpin'], rounds)
        : {
            ...(await measure(contendersBeside(mode), rounds)),
            ...(await measure(['retryWithoutJitter'], 1)),
          },
    );
    const ratio = againstPessimistic(mode, contention);
    const figures = { engine: engines.dynamoDBEngine, ...contention, againstPessimistic: ratio };
    await writeJson(jsonFile, figures);
    console.log(plainTable(contentionTable(contention)));
    if (ratio !== undefined) console.log(`\nTime: ${formatRatio(ratio)} of that of the pessimistic mode.`);
    console.log(
      `\nThe engine, ${engines.dynamoDBEngine}, reports the units, except those of refused writes.`,
    );
    const { optimistic, pessimistic, embedded } = contention;
    const isBounded = isDeepStrictEqual(load, boundedLoad) && optimistic && pessimistic && embedded;
    const beyond = isBounded ? boundComplaints({ optimistic, pessimistic, embedded }) : [];
    const { losses, worse } = complaints(mode, contention);
    const exact = losses.map((text) => ({ text, timedPart: undefined }));
    const timed = [...worse, ...beyond].map((text) => ({ text, timedPart: part }));
    return concludeMeasured([...exact, ...timed], control);
  }, interrupt);
}

/** The embedded outbox has no eventual mode: its first reads are eventually consistent anyway. */
function contendersBeside(mode: 'optimistic' | 'eventual'): ContenderName[] {
  return mode === 'optimistic' ? [mode, 'embedded', 'pessimistic'] : [mode, 'pessimistic'];
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
