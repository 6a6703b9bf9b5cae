import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { Clients } from '../../test/support/own-engines/clients.ts';
import { withResources } from '../engines/resources.ts';
import type { ContenderType } from './contender.ts';
import { type Case, cases } from './figures.ts';
import { type MeasuredCase, Run, type Sample } from './run.ts';

export interface Measurement {
  readonly cases: Readonly<Record<Case, MeasuredCase>>;
  /** What makes it worthless; nothing when all is as it should be. */
  readonly doubts: readonly string[];
}

/** @param onProgress called with the case that comes next */
export async function measure(
  type: ContenderType,
  clients: Clients,
  sample: Sample,
  signal: AbortSignal,
  onProgress: (next: Case) => void = () => {},
): Promise<Measurement> {
  return await withResources(clients, `cost-${type.name}`, async (resources) => {
    const meter = new CallRecorder();
    const ends = [meter.watch(clients.dynamoDBClient), meter.watch(clients.sqsClient)];
    try {
      const run = new Run(type, resources, meter, sample.seed);
      await run.learnSizes();
      const measured: [Case, MeasuredCase][] = [];
      for (const name of cases) {
        onProgress(name);
        measured.push([name, await run.measure(name, sample, signal)]);
      }
      const doubts = [...meter.doubts, ...run.doubts, ...(await run.undelivered())];
      return {
        cases: Object.fromEntries(measured) as Record<Case, MeasuredCase>,
        doubts: [...new Set(doubts)],
      };
    } finally {
      for (const end of ends) end();
    }
  });
}
