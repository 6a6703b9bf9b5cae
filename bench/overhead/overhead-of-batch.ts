import type { OverheadOfBatch } from '../benchmark/benchmark-figures.ts';
import { contenders } from './contenders.ts';
import { type Invocations, invokeInRounds, type RoundSettings } from './rounds.ts';

export async function overheadOfBatch(records: number, settings: RoundSettings): Promise<OverheadOfBatch> {
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
    sagaboxMeanMicros: ofSagabox.meanMicros,
    sagaboxSagaMeanMicros: ofSaga.meanMicros,
    powertoolsMeanMicros: ofPowertools.meanMicros,
    middyMeanMicros: ofMiddy.meanMicros,
    sagaboxAllocatedBytes: ofSagabox.allocatedBytes,
    sagaboxSagaAllocatedBytes: ofSaga.allocatedBytes,
    powertoolsAllocatedBytes: ofPowertools.allocatedBytes,
    middyAllocatedBytes: ofMiddy.allocatedBytes,
  };
}
