import type { GrowthFigures } from '../benchmark/benchmark-figures.ts';
import type { Figures } from '../cost/figures.ts';
import { type DerivedFigure, derived } from './derived-figure.ts';

type StatePoint = GrowthFigures['stateKB']['1'];

const outbox = ({ outboxRecords }: GrowthFigures) => outboxRecords;
const relay = ({ idleRelay }: GrowthFigures) => idleRelay;

export const growthFigures = {
  outboxUnits: byRecords(outbox, 'Units of one message', unitsOf),
  outboxCalls: byRecords(outbox, 'Calls for one message', ({ calls }) => calls),
  outboxTime: byRecords(outbox, 'Time of one message', ({ microsPerMessage }) => microsPerMessage),
  relayUnits: byRecords(relay, 'Units of a relay that finds nothing', unitsOf),
  relayCalls: byRecords(relay, 'Calls of a relay that finds nothing', ({ calls }) => calls),
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

function byRecords<Point>(
  pointsIn: (growth: GrowthFigures) => Readonly<Record<string, Point>>,
  what: string,
  of: (point: Point) => number,
): DerivedFigure {
  return derived('growth', `${what}, at the most outbox records / at the fewest`, (growth) => {
    // Keys that are whole numbers come in their order: fewest records first.
    const values = Object.values(pointsIn(growth)).map(of);
    return (values.at(-1) ?? Number.NaN) / (values.at(0) ?? Number.NaN);
  });
}

function unitsOf({ rcu, wcu }: Pick<Figures, 'rcu' | 'wcu'>): number {
  return rcu + wcu;
}
