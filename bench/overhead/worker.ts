import type { OverheadOfBatch } from '../benchmark-figures.ts';
import { contenders } from './contenders.ts';
import { type Invocations, invokeInRounds, type RoundSettings } from './rounds.ts';

/** Measures in a process of its own, where nothing else has shaped how the code is compiled; writes one line of JSON. */
const depths: Readonly<Record<string, RoundSettings>> = {
  short: { rounds: 5, messages: 1000, warmUpMessages: 10_000 },
  full: { rounds: 25, messages: 5000, warmUpMessages: 50_000 },
};

const [, , depth = 'full'] = process.argv;
const settings = depths[depth];
if (settings === undefined) throw new Error(`There is no depth '${depth}'`);
const figures = { batch1: await overheadOf(1, settings), batch10: await overheadOf(10, settings) };
console.log(JSON.stringify(figures));

async function overheadOf(records: number, settings: RoundSettings): Promise<OverheadOfBatch> {
  const { sagabox, sagaboxSaga, powertools, middy } = contenders;
  const measured = await invokeInRounds([sagabox, sagaboxSaga, powertools, middy], records, settings);
  const [ofSagabox, ofSaga, ofPowertools, ofMiddy] = measured as [
    Invocations,
    Invocations,
    Invocations,
    Invocations,
  ];
  return {
    sagaboxMicros: ofSagabox.micros,
    sagaboxSagaMicros: ofSaga.micros,
    powertoolsMicros: ofPowertools.micros,
    middyMicros: ofMiddy.micros,
    sagaboxAllocatedBytes: ofSagabox.allocatedBytes,
    sagaboxSagaAllocatedBytes: ofSaga.allocatedBytes,
    powertoolsAllocatedBytes: ofPowertools.allocatedBytes,
    middyAllocatedBytes: ofMiddy.allocatedBytes,
  };
}
