import type { BenchRun } from '../bench-run.ts';
import type { ThroughputFigures } from '../benchmark-figures.ts';
import { withEngines } from '../contention/engines.ts';
import { withClients } from './clients.ts';
import { compareThroughput, type Load } from './compare.ts';

const atATime = [1, 10, 50] as const;
type AtATime = (typeof atATime)[number];

const messages: Readonly<Record<BenchRun['depth'], Readonly<Record<AtATime, number>>>> = {
  short: { 1: 30, 10: 80, 50: 150 },
  full: { 1: 300, 10: 600, 50: 1000 },
};
/** Odd: the median is one of them. */
const rounds = { short: 3, full: 9 } as const;

export async function measureThroughput({ depth, signal, progress }: BenchRun): Promise<ThroughputFigures> {
  const loads = atATime.map(
    (count): Load => ({ atATime: count, messages: messages[depth][count], rounds: rounds[depth] }),
  );
  const measured = await withEngines((engines) =>
    withClients(engines, (clients) =>
      compareThroughput(clients, loads, signal, ({ atATime: count }) =>
        progress(`Throughput: ${count} at a time`),
      ),
    ),
  );
  const entries = atATime.map((count, index) => [String(count), measured[index]] as const);
  return Object.fromEntries(entries) as ThroughputFigures;
}
