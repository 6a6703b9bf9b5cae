import { withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import type { BenchRun } from '../benchmark/bench-run.ts';
import type { ThroughputFigures } from '../benchmark/benchmark-figures.ts';
import { compareThroughput } from './compare.ts';
import type { Load } from './load.ts';

const atATime = [1, 10, 50] as const;
type AtATime = (typeof atATime)[number];

const messages: Readonly<Record<BenchRun['depth'], Readonly<Record<AtATime, number>>>> = {
  short: { 1: 10, 10: 30, 50: 50 },
  full: { 1: 300, 10: 600, 50: 1000 },
};
/**
 * Odd: the median is one of them. As many in a short run: what else the machine does at times falls on few of
 * them.
 */
const rounds = 9;

export async function measureThroughput({ depth, signal, progress }: BenchRun): Promise<ThroughputFigures> {
  const loads = atATime.map((count): Load => ({ atATime: count, messages: messages[depth][count], rounds }));
  const measured = await withEngines(
    (engines, ending) =>
      withClients(engines, (clients) =>
        compareThroughput(clients, loads, ending, ({ atATime: count }) =>
          progress(`Throughput: ${count} at a time`),
        ),
      ),
    signal,
  );
  const entries = atATime.map((count, index) => [String(count), measured[index]] as const);
  return Object.fromEntries(entries) as unknown as ThroughputFigures;
}
