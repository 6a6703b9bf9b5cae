import type { Duration } from 'aws-cdk-lib';
import { type Bounds, rangeProblem } from '../../kernel/checks/bounds.ts';
import type { Check } from '../../kernel/checks/checks.ts';
import type { Refusal } from '../../kernel/checks/problems.ts';
import { isKnown } from '../is-known.ts';
import type { PropProblems } from '../violations.ts';
import { checkedProps, type NameIn, type PropChecks } from './prop-checks.ts';

/** All that is known of one prop by itself. */
export interface PropRow<Props> {
  readonly kind: Check;
  /** The bounds of a number, or of a duration in seconds. @default - none */
  readonly bounds?: Bounds;
  /** The conditions under which the construct has the prop. @default - always */
  readonly only?: readonly Condition<Props>[];
  /** What the construct goes on with where the prop is left out. @default - it depends on other props */
  readonly default?: unknown;
}

export type PropRows<Props> = Readonly<Record<NameIn<Props>, PropRow<Props>>>;

/** A condition on the other props. */
export interface Condition<Props> {
  /** As in "of FIFO queues". */
  readonly name: string;
  /** @param setting the name of the prop that has the condition */
  problemOf(props: Partial<Props>, setting: string): Refusal | undefined;
}

/** A rule over several props, under the name of the one to change. */
export interface PropRule<Props> {
  readonly name: string;
  readonly setting: NameIn<Props>;
  problemOf(props: Partial<Props>): Refusal | undefined;
}

type DefaultsOf<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly default: unknown }
    ? Name
    : never]: Rows[Name] extends { readonly default: infer Value } ? Value : never;
};

/** The defaults of the props that have one. */
export function defaultsOf<Rows extends Readonly<Record<string, PropRow<never>>>>(
  rows: Rows,
): DefaultsOf<Rows> {
  const all = Object.entries(rows).filter(([, row]) => row.default !== undefined);
  return Object.fromEntries(all.map(([name, row]) => [name, row.default])) as DefaultsOf<Rows>;
}

/** The check of a kind and of bounds, in which all is that is known only at deployment. */
export function inBounds(kind: Check, bounds: Bounds): Check {
  return (given, at, report) => {
    const value = kind(given, at, report) as number | Duration | undefined;
    const found = value === undefined ? undefined : rangeOf(value, bounds);
    if (found === undefined) return value;
    report.add(at, found.problem, found.remedy);
    return undefined;
  };
}

export function checksOfRows<Props>(rows: PropRows<Props>): PropChecks<Props> {
  const all = Object.entries<PropRow<Props>>(rows);
  return Object.fromEntries(
    all.map(([name, { kind, bounds }]) => [name, bounds === undefined ? kind : inBounds(kind, bounds)]),
  ) as PropChecks<Props>;
}

/**
 * The props that can be used. Each that is of another kind, out of its bounds, not one of the construct, or wrong
 * beside the others is reported once, and left out.
 */
export function consistentProps<Props extends object>(
  given: Props,
  rows: PropRows<Props>,
  rules: readonly PropRule<Props>[],
  problems: PropProblems,
  needs: readonly NameIn<Props>[] = [],
): Partial<Props> {
  const conditions = Object.entries<PropRow<Props>>(rows).flatMap(([name, { only = [] }]) =>
    only.map((condition) => ({
      setting: name as NameIn<Props>,
      problemOf: (props: Partial<Props>) => (name in props ? condition.problemOf(props, name) : undefined),
    })),
  );
  let props = checkedProps(given, checksOfRows(rows), problems, needs);
  for (const { setting, problemOf } of [...conditions, ...rules]) {
    const found = problemOf(props);
    if (found === undefined) continue;
    problems.add(setting, found.problem, found.remedy);
    props = Object.fromEntries(Object.entries(props).filter(([name]) => name !== setting)) as Partial<Props>;
  }
  return props;
}

function rangeOf(value: number | Duration, bounds: Bounds): Refusal | undefined {
  if (typeof value === 'number') return isKnown(value) ? rangeProblem(value, bounds) : undefined;
  if (value.isUnresolved()) return undefined;
  return rangeProblem(value.toMilliseconds() / 1000, { ...bounds, unit: 'seconds' });
}
