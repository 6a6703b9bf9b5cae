import type { GrowthFigures } from '../benchmark/benchmark-figures.ts';
import type { Figures } from '../cost/figures.ts';
import { type DerivedFigure, derived } from './derived-figure.ts';

type StatePoint = GrowthFigures['stateKB']['1'];

export const growthFigures = {
  outboxUnits: derived(
    'growth',
    'Units of one message, at the most outbox records / at the fewest',
    ({ outboxRecords }) => byRecords(outboxRecords, unitsOf),
  ),
  outboxCalls: derived(
    'growth',
    'Calls for one message, at the most outbox records / at the fewest',
    ({ outboxRecords }) => byRecords(outboxRecords, ({ calls }) => calls),
  ),
  outboxTime: derived(
    'growth',
    'Time of one message, at the most outbox records / at the fewest',
    ({ outboxRecords }) => byRecords(outboxRecords, ({ microsPerMessage }) => microsPerMessage),
  ),
  relayUnits: derived(
    'growth',
    'Units of a relay that finds nothing, at the most outbox records / at the fewest',
    ({ idleRelay }) => byRecords(idleRelay, unitsOf),
  ),
  relayCalls: derived(
    'growth',
    'Calls of a relay that finds nothing, at the most outbox records / at the fewest',
    ({ idleRelay }) => byRecords(idleRelay, ({ calls }) => calls),
  ),
  stateRcu: byState('RCU of one message', ({ rcu }) => rcu),
  stateWcu: byState('WCU of one message', ({ wcu }) => wcu),
  stateUnits: byState(
    "WCU of one message besides those of the saga's item",
    ({ wcu, itemWcu }) => wcu - itemWcu,
  ),
  stateCalls: byState('Calls for one message', ({ calls }) => calls),
  stateTime: byState('Time of one message', ({ microsPerMessage }) => microsPerMessage),
} as const satisfies Record<string, DerivedFigure>;

function byState(what: string, of: (point: StatePoint) => number): DerivedFigure {
  return derived('growth', `${what}, at an item of 100 kB / of 1 kB`, ({ stateKB }) => {
    return of(stateKB['100']) / of(stateKB['1']);
  });
}

function byRecords<Point>(points: Readonly<Record<string, Point>>, of: (point: Point) => number): number {
  // Keys that are whole numbers come in their order: fewest records first.
  const values = Object.values(points).map(of);
  return (values.at(-1) ?? Number.NaN) / (values.at(0) ?? Number.NaN);
}

function unitsOf({ rcu, wcu }: Pick<Figures, 'rcu' | 'wcu'>): number {
  return rcu + wcu;
}
