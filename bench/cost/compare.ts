import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import type { Figures } from '../benchmark/figures.ts';
import { mapNamesInSequence } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';
import { type ContenderName, contenderNames, contenders } from './contenders.ts';
import { measure, type Sample } from './run.ts';
import { type Comparison, costFigures, doubtsOf } from './summary.ts';

type Progress = BenchRun['progress'];

/** All contenders on the same engines, with orders from the same seed. */
export async function compare(
  clients: Clients,
  sample: Sample,
  signal: AbortSignal,
  progress: Progress = () => {},
): Promise<Comparison> {
  const of = (name: ContenderName) =>
    measure(contenders[name], clients, sample, signal, (next) => progress(`Measuring ${name}, ${next} ...`));
  return await mapNamesInSequence(contenderNames, of);
}

/** {@link compare}, on engines that are started for it. `engine` is what DynamoDB was: `dynoxide 1.2.1`. */
export async function compareOnEngines(
  sample: Sample,
  signal: AbortSignal,
  progress: Progress,
): Promise<{ readonly comparison: Comparison; readonly engine: string }> {
  return await withEngines(
    (engines, ending) =>
      withClients(engines, async (clients) => ({
        comparison: await compare(clients, sample, ending, progress),
        engine: engines.dynamoDBEngine,
      })),
    signal,
  );
}

const samples = {
  short: { seed: 1, messages: 2, batches: 1 },
  full: { seed: 1, messages: 20, batches: 5 },
} as const;

/**
 * @throws Error if messages were lost, or differ from those that were to be measured, or if the itemized
 * layout took what its formula does not give
 */
export async function measureCost({ depth, signal, progress }: BenchRun): Promise<Figures['cost']> {
  const { comparison } = await compareOnEngines(samples[depth], signal, progress);
  const doubts = doubtsOf(comparison);
  if (doubts.length > 0) throw new Error(`The figures are worth nothing: ${doubts.join('; ')}`);
  return costFigures(comparison);
}
