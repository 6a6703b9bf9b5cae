import { type Case, cases, type Figures } from '../cost/figures.ts';
import { type DerivedFigure, derived } from './derived-figure.ts';

const shortNames = {
  'N=0': 'N0',
  'N=1': 'N1',
  'N=3': 'N3',
  'N=10': 'N10',
  'N=3 incompressible': 'N3Incompressible',
  'N=10 incompressible': 'N10Incompressible',
  batch10: 'Batch10',
  discard: 'Discard',
} as const satisfies Record<Case, string>;
const kinds = { calls: 'Calls', rcu: 'RCU', wcu: 'WCU' } as const satisfies Record<keyof Figures, string>;

/** `wcuN3`: the write units of sagabox / of the itemized layout. */
export type CostFigureName = `${keyof Figures}${(typeof shortNames)[Case]}`;

export function costFigureName(name: Case, kind: keyof Figures): CostFigureName {
  return `${kind}${shortNames[name]}`;
}

export const costRatios = Object.fromEntries(
  cases.flatMap((name) =>
    (Object.keys(kinds) as (keyof Figures)[]).map((kind) => [costFigureName(name, kind), ratio(name, kind)]),
  ),
) as Record<CostFigureName, DerivedFigure>;

function ratio(name: Case, kind: keyof Figures): DerivedFigure {
  return derived('cost', `${kinds[kind]} of ${titleOf(name)}: sagabox / itemized`, (cost) => {
    const { sagabox, itemized } = cost[name];
    return sagabox[kind] / itemized[kind];
  });
}

function titleOf(name: Case): string {
  if (name === 'batch10') return 'a batch of ten messages, N = 1';
  if (name === 'discard') return 'one message that is discarded';
  return `one message, ${name.replace('=', ' = ')}`;
}
