import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import { type Case, type ContenderName, type CostFigures, cases } from './figures.ts';
import { itemized } from './itemized.ts';
import { type Measurement, measure } from './measure.ts';
import type { Sample } from './run.ts';
import { sagabox } from './sagabox.ts';

export interface Comparison extends Readonly<Record<ContenderName, Measurement>> {
  /** What DynamoDB was: `dynoxide 1.2.1`. */
  readonly engine: string;
}
type OnProgress = (contender: ContenderName, next: Case) => void;

/** Both contenders on the same engines, with orders from the same seed. */
export async function compare(
  clients: Clients,
  engine: string,
  sample: Sample,
  signal: AbortSignal,
  onProgress: OnProgress = () => {},
): Promise<Comparison> {
  const of = (type: typeof sagabox) =>
    measure(type, clients, sample, signal, (next) => onProgress(type.name, next));
  return { engine, sagabox: await of(sagabox), itemized: await of(itemized) };
}

/** {@link compare}, on engines that are started for it. */
export async function compareOnEngines(
  sample: Sample,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Comparison> {
  return await withEngines(
    (engines, ending) =>
      withClients(engines, (clients) => compare(clients, engines.dynamoDBEngine, sample, ending, onProgress)),
    signal,
  );
}

export function costFigures({ sagabox: own, itemized: peer }: Comparison): CostFigures {
  const entries = cases.map((name) => {
    return [name, { sagabox: own.cases[name].figures, itemized: peer.cases[name].figures }] as const;
  });
  return Object.fromEntries(entries) as CostFigures;
}
