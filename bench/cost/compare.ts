import { type Clients, withClients } from '../engines/clients.ts';
import { withEngines } from '../engines/engines.ts';
import { type Case, type ContenderName, type CostFigures, cases } from './figures.ts';
import { itemized } from './itemized.ts';
import { type Measurement, measure } from './measure.ts';
import type { Sample } from './run.ts';
import { sagabox } from './sagabox.ts';

export type Comparison = Readonly<Record<ContenderName, Measurement>>;
type OnProgress = (contender: ContenderName, next: Case) => void;

/** Both contenders on the same engines, with orders from the same seed. */
export async function compare(
  clients: Clients,
  sample: Sample,
  signal: AbortSignal,
  onProgress: OnProgress = () => {},
): Promise<Comparison> {
  const of = (type: typeof sagabox) =>
    measure(type, clients, sample, signal, (next) => onProgress(type.name, next));
  return { sagabox: await of(sagabox), itemized: await of(itemized) };
}

/** {@link compare}, on engines that are started for it. */
export async function compareOnEngines(
  sample: Sample,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Comparison> {
  return await withEngines(
    (engines) => withClients(engines, (clients) => compare(clients, sample, signal, onProgress)),
    signal,
  );
}

export function costFigures({ sagabox: own, itemized: peer }: Comparison): CostFigures {
  const entries = cases.map((name) => {
    return [name, { sagabox: own.cases[name].figures, itemized: peer.cases[name].figures }] as const;
  });
  return Object.fromEntries(entries) as CostFigures;
}
