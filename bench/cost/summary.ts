import { costBounds } from '../limits/bounds.ts';
import { type Comparison, costFigures } from './compare.ts';
import { type CallsOfOperation, cases } from './figures.ts';
import { itemizedFormulas } from './itemized-formula.ts';

const kinds = ['calls', 'rcu', 'wcu'] as const;
const nameWidth = 21;
const headings = { calls: 'calls', rcu: 'RCU', wcu: 'WCU' } as const;

/** What did not hold, in words; nothing when all did. */
export function complaints(comparison: Comparison): string[] {
  const figures = costFigures(comparison);
  const found = cases.flatMap((name) =>
    kinds.flatMap((kind) => {
      const [own, bound] = [figures[name].sagabox[kind], costBounds[name][kind]];
      return own > bound ? `${name}: sagabox takes ${own} ${headings[kind]}, more than ${bound}` : [];
    }),
  );
  return [...found, ...doubtsOf(comparison)];
}

/** Why the figures are worth nothing; nothing when they are worth something. */
export function doubtsOf(comparison: Comparison): string[] {
  const figures = costFigures(comparison);
  const offFormula = cases.flatMap((name) =>
    kinds.flatMap((kind) => {
      const [peer, formula] = [figures[name].itemized[kind], itemizedFormulas[name][kind]];
      if (peer === formula) return [];
      return `${name}: the itemized layout takes ${peer} ${headings[kind]}, its formula gives ${formula}`;
    }),
  );
  return [
    ...offFormula,
    ...comparison.sagabox.doubts.map((doubt) => `sagabox: ${doubt}`),
    ...comparison.itemized.doubts.map((doubt) => `itemized: ${doubt}`),
  ];
}

/** Sagabox | at most | itemized, for each kind of figure. */
export function figuresTable(comparison: Comparison): string {
  const figures = costFigures(comparison);
  const groups = kinds.map((kind) => row(headings[kind], 'at most', 'itemized'));
  const lines = cases.map((name) => {
    const { sagabox, itemized } = figures[name];
    const cells = kinds.map((kind) =>
      row(String(sagabox[kind]), String(costBounds[name][kind]), String(itemized[kind])),
    );
    return `${name.padEnd(nameWidth)}${cells.join('  |')}`.trimEnd();
  });
  return [`${''.padEnd(nameWidth)}${groups.join('  |')}`, ...lines].join('\n');
}

/** The items that a commit puts: each is rounded up to 1 KB by itself. */
export function itemsTable({ sagabox, itemized }: Comparison): string {
  return cases
    .filter((name) => name !== 'batch10')
    .flatMap((name) => [
      `${name.padEnd(nameWidth)}sagabox   ${sizes(sagabox.cases[name].itemBytes)}`,
      `${''.padEnd(nameWidth)}itemized  ${sizes(itemized.cases[name].itemBytes)}`,
    ])
    .join('\n');
}

/** Which calls the figures are made of. */
export function sequencesTable(comparison: Comparison): string {
  return cases
    .flatMap((name) => [
      `${name.padEnd(nameWidth)}sagabox   ${sequence(comparison.sagabox.cases[name].sequence)}`,
      `${''.padEnd(nameWidth)}itemized  ${sequence(comparison.itemized.cases[name].sequence)}`,
    ])
    .join('\n');
}

function sizes(itemBytes: readonly number[]): string {
  const groups = [...Map.groupBy(itemBytes, (bytes) => bytes)];
  return groups
    .map(([bytes, { length }]) => (length === 1 ? `${bytes} B` : `${length} x ${bytes} B`))
    .join(', ');
}

function sequence(operations: readonly CallsOfOperation[]): string {
  return operations.map(describe).join(', ');
}

function describe({ operation, calls, rcu, wcu }: CallsOfOperation): string {
  const times = calls === 1 ? operation : `${calls} x ${operation}`;
  const units = [rcu > 0 && `${rcu} RCU`, wcu > 0 && `${wcu} WCU`].filter(Boolean).join(', ');
  return units === '' ? times : `${times} (${units})`;
}

function row(own: string, bound: string, peer: string): string {
  return `${own.padStart(7)}${bound.padStart(9)}${peer.padStart(10)}`;
}
