import { bounds, itemizedFormulas } from './bounds.ts';
import { type Comparison, costFigures } from './compare.ts';
import { type CallsOfOperation, cases, type Figures } from './figures.ts';

const kinds = ['calls', 'rcu', 'wcu'] as const;
const headings = { calls: 'calls', rcu: 'RCU', wcu: 'WCU' } as const;

/** What did not hold, in words; nothing when all did. */
export function complaints(comparison: Comparison): string[] {
  const figures = costFigures(comparison);
  const found: string[] = [];
  for (const name of cases) {
    const { sagabox, itemized } = figures[name];
    for (const kind of kinds) {
      const bound = bounds[name][kind];
      if (bound !== undefined && sagabox[kind] > bound) {
        found.push(`${name}: sagabox takes ${sagabox[kind]} ${headings[kind]}, more than ${bound}`);
      }
      const formula = itemizedFormulas[name][kind];
      if (itemized[kind] !== formula) {
        found.push(
          `${name}: the itemized layout takes ${itemized[kind]} ${headings[kind]}, its formula gives ${formula}`,
        );
      }
    }
  }
  const doubts = [
    ...comparison.sagabox.doubts.map((doubt) => `sagabox: ${doubt}`),
    ...comparison.itemized.doubts.map((doubt) => `itemized: ${doubt}`),
  ];
  return [...found, ...doubts];
}

/** Sagabox | at most | itemized, for each kind of figure. */
export function figuresTable(comparison: Comparison): string {
  const figures = costFigures(comparison);
  const groups = kinds.map((kind) => row(headings[kind], 'at most', 'itemized'));
  const lines = cases.map((name) => {
    const { sagabox, itemized } = figures[name];
    const cells = kinds.map((kind) =>
      row(text(sagabox, kind), text(bounds[name], kind), text(itemized, kind)),
    );
    return `${name.padEnd(10)}${cells.join('  |')}`.trimEnd();
  });
  return [`${''.padEnd(10)}${groups.join('  |')}`, ...lines].join('\n');
}

/** The items that a commit puts: each is rounded up to 1 KB by itself. */
export function itemsTable({ sagabox, itemized }: Comparison): string {
  return cases
    .filter((name) => name !== 'batch10')
    .flatMap((name) => [
      `${name.padEnd(10)}sagabox   ${sizes(sagabox.cases[name].itemBytes)}`,
      `${''.padEnd(10)}itemized  ${sizes(itemized.cases[name].itemBytes)}`,
    ])
    .join('\n');
}

/** Which calls the figures are made of. */
export function sequencesTable(comparison: Comparison): string {
  return cases
    .flatMap((name) => [
      `${name.padEnd(10)}sagabox   ${sequence(comparison.sagabox.cases[name].sequence)}`,
      `${''.padEnd(10)}itemized  ${sequence(comparison.itemized.cases[name].sequence)}`,
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

function describe({ operation, calls, rcu, wcu, source }: CallsOfOperation): string {
  const times = calls === 1 ? operation : `${calls} x ${operation}`;
  if (source === 'none') return times;
  return `${times} (${[rcu > 0 && `${rcu} RCU`, wcu > 0 && `${wcu} WCU`].filter(Boolean).join(', ')} ${source})`;
}

function row(own: string, bound: string, peer: string): string {
  return `${own.padStart(7)}${bound.padStart(9)}${peer.padStart(10)}`;
}

function text(figures: Partial<Figures>, kind: keyof Figures): string {
  return figures[kind] === undefined ? '-' : String(figures[kind]);
}
