import { textTable } from '../../lib/charts/text-table.ts';
import { mapNames } from '../benchmark/in-turns.ts';
import { costBounds, embeddedCostBounds } from '../limits/cost-bounds.ts';
import { type Column, plainTable, tableOf } from '../report/tables.ts';
import { type ContenderName, contenders, contenderNames as names } from './contenders.ts';
import { type Case, cases, type Units, unitHeadings, unitNames, unitsOf } from './figures.ts';
import { itemizedFormulas } from './itemized-formula.ts';
import { plannedUnits } from './planned.ts';
import type { MeasuredCase, Measurement } from './run.ts';

export type Comparison = Readonly<Record<ContenderName, Measurement>>;

export function costFigures(
  comparison: Comparison,
): Readonly<Record<Case, Readonly<Record<ContenderName, Units>>>> {
  return mapNames(cases, (name) => mapNames(names, (contender) => comparison[contender].cases[name].units));
}

/** What did not hold. */
export function complaints(comparison: Comparison): string[] {
  const figures = costFigures(comparison);
  const aboveBound = ofEachFigure((name, unit) =>
    ownNames.flatMap((contender) => {
      const [own, bound] = [figures[name][contender][unit], bounds[contender][name][unit]];
      return own > bound ? [`${contender} takes ${own} ${unitHeadings[unit]}, more than ${bound}`] : [];
    }),
  );
  return [...aboveBound, ...doubtsOf(comparison)];
}

/** Why the figures are worth nothing. */
export function doubtsOf(comparison: Comparison): string[] {
  const figures = costFigures(comparison);
  const offFormula = ofEachFigure((name, unit) => {
    const [peer, formula] = [figures[name].itemized[unit], itemizedFormulas[name][unit]];
    if (peer === formula) return [];
    return [`the itemized layout takes ${peer} ${unitHeadings[unit]}, its formula gives ${formula}`];
  });
  const offPlan = ofEachFigure((name, unit) =>
    unit === 'calls' || unit === 'refusedWcu' ? [] : planned(comparison, name, unit),
  );
  const doubts = names.flatMap((name) => comparison[name].doubts.map((doubt) => `${name}: ${doubt}`));
  return [...offFormula, ...offPlan, ...doubts];
}

function planned(comparison: Comparison, name: Case, unit: 'rcu' | 'wcu'): string[] {
  return ownNames.flatMap((contender) => {
    const measured = comparison[contender].cases[name];
    const plan = plannedUnits(name, measured, contenders[contender])[unit];
    if (measured.units[unit] === plan) return [];
    return [`${contender} takes ${measured.units[unit]} ${unitHeadings[unit]}, its plan says ${plan}`];
  });
}

function ofEachFigure(problemsOf: (name: Case, unit: (typeof unitNames)[number]) => readonly string[]) {
  return cases.flatMap((name) =>
    unitNames.flatMap((unit) => problemsOf(name, unit).map((problem) => `${name}: ${problem}`)),
  );
}

const bounds = {
  sagabox: costBounds,
  embedded: embeddedCostBounds[10],
  embedded30: embeddedCostBounds[30],
} as const;
const ownNames = Object.keys(bounds) as (keyof typeof bounds)[];
/** The records of sagabox with their bound and the itemized layout, and the embedded outboxes with theirs, for each unit. */
export function figuresTable(comparison: Comparison): string {
  const figures = costFigures(comparison);
  const table = (tableNames: readonly ContenderName[]) => {
    const columns = unitNames.flatMap((unit) =>
      tableNames.flatMap((contender, index): Column<Case>[] => [
        [index === 0 ? unitHeadings[unit] : contender, (name) => figures[name][contender][unit], String],
        ...(contender === 'itemized'
          ? []
          : [['at most', (name) => bounds[contender][name][unit], String] as Column<Case>]),
      ]),
    );
    const rows = cases.map((name) => [name, name] as const);
    return plainTable(tableOf(tableNames[0] ?? '', rows, columns));
  };
  return [table(['sagabox', 'itemized']), table(['embedded', 'embedded30'])].join('\n\n');
}

/** The items that a commit puts: each is rounded up to 1 KB by itself. */
export function itemsTable(comparison: Comparison): string {
  return tableOfBoth(comparison, ({ itemBytes }) =>
    [...Map.groupBy(itemBytes, (bytes) => bytes)].map(([bytes, { length }]) => times(length, `${bytes} B`)),
  );
}

/** The calls that the figures are made of, in the order in which the operations were first called. */
export function sequencesTable(comparison: Comparison): string {
  return tableOfBoth(comparison, ({ calls }) =>
    [...Map.groupBy(calls, ({ operation }) => operation)].map(([operation, ofOperation]) => {
      const { rcu, wcu } = unitsOf(ofOperation);
      const units = [rcu > 0 && `${rcu} RCU`, wcu > 0 && `${wcu} WCU`].filter(Boolean).join(', ');
      return times(ofOperation.length, operation) + (units === '' ? '' : ` (${units})`);
    }),
  );
}

function tableOfBoth(comparison: Comparison, partsOf: (measured: MeasuredCase) => string[]): string {
  const rows = cases.flatMap((name) =>
    names.map((contender, index) => [
      index === 0 ? name : '',
      contender,
      partsOf(comparison[contender].cases[name]).join(', '),
    ]),
  );
  return textTable(rows, ['left', 'left', 'left']).join('\n');
}

function times(count: number, what: string): string {
  return count === 1 ? what : `${count} x ${what}`;
}
