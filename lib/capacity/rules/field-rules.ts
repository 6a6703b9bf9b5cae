import type { Problem } from './problems.ts';

/** What a property takes. */
export type FieldRule =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | {
      readonly kind: 'number';
      readonly minimum: number;
      /** The minimum as people write it, when its digits are many. */
      readonly minText?: string;
      readonly maximum: number;
      readonly whole?: boolean;
      /** Whether the bounds themselves are refused. */
      readonly above?: boolean;
      readonly below?: boolean;
    };

export interface ObjectRule {
  readonly fields: Readonly<Record<string, FieldRule>>;
  readonly required?: readonly string[];
  /** Checked elsewhere. */
  readonly nested?: readonly string[];
}

/** Every problem of an object, unknown properties included. A property that is undefined counts as absent. */
export function problemsOf(
  value: unknown,
  { fields, required = [], nested = [] }: ObjectRule,
  at = '',
): Problem[] {
  if (!isObject(value)) return [{ path: at, problem: `must be an object, not ${described(value)}` }];
  const path = (name: string) => (at === '' ? name : `${at}.${name}`);
  const given = Object.entries(value).filter(([, one]) => one !== undefined);
  const missing = required.filter((name) => !given.some(([one]) => one === name));
  return [
    ...missing.map((name) => ({ path: path(name), problem: 'is missing' })),
    ...given.flatMap(([name, one]): Problem[] => {
      if (nested.includes(name)) return [];
      const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (rule === undefined) {
        const known = [...nested, ...Object.keys(fields)].join(', ');
        return [{ path: path(name), problem: `is not known (known: ${known})` }];
      }
      const problem = problemOf(one, rule);
      return problem === undefined ? [] : [{ path: path(name), problem }];
    }),
  ];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problemOf(value: unknown, rule: FieldRule): string | undefined {
  return accepts(value, rule) ? undefined : `must be ${wanted(rule)}, not ${described(value)}`;
}

function accepts(value: unknown, rule: FieldRule): boolean {
  if (rule.kind === 'boolean') return typeof value === 'boolean';
  if (rule.kind === 'text') return typeof value === 'string' && value !== '';
  if (rule.kind === 'choice') return typeof value === 'string' && rule.choices.includes(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (rule.whole && !Number.isInteger(value)) return false;
  const isHighEnough = rule.above ? value > rule.minimum : value >= rule.minimum;
  return isHighEnough && (rule.below ? value < rule.maximum : value <= rule.maximum);
}

function wanted(rule: FieldRule): string {
  if (rule.kind === 'boolean') return 'true or false';
  if (rule.kind === 'text') return 'a text that is not empty';
  if (rule.kind === 'choice') return `one of ${rule.choices.map((choice) => `'${choice}'`).join(', ')}`;
  const number = rule.whole ? 'a whole number' : 'a number';
  const minimum = rule.minText ?? `${rule.minimum}`;
  const from = rule.above ? `above ${minimum}` : `from ${minimum}`;
  const to = `${rule.above ? 'up to' : 'to'}${rule.below ? ' below' : ''} ${rule.maximum}`;
  return `${number} ${from}${rule.above ? ',' : ''} ${to}`;
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
