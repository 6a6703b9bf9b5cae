import { stackedBars } from '../../lib/cli/plan/charts/stacked-bars.ts';
import type { Chart } from './section.ts';

export interface Comparison {
  readonly name: string;
  readonly title: string;
  /** What is counted, such as 'WCU'. */
  readonly unit: string;
  readonly contenders: readonly string[];
  /** For each what is compared, with a value of each contender; nothing where there is none to compare. */
  readonly groups: readonly { readonly label: string; readonly values: readonly (number | undefined)[] }[];
  readonly format: (value: number) => string;
}

/** A bar for each contender in each group, in the colour of the contender. */
export function comparisonChart({ name, title, unit, contenders, groups, format }: Comparison): Chart {
  const bars = groups.flatMap(({ label, values }) =>
    values.flatMap((value, contender) => {
      if (value === undefined) return [];
      const alone = values.map((_, index) => (index === contender ? value : 0));
      const isOnly = values.every((other, index) => index === contender || other === undefined);
      const name = isOnly ? '' : contenders[contender];
      return { label: `${label} ${name}`.trim(), values: alone, text: format(value) };
    }),
  );
  const drawn = stackedBars({
    id: `benchmark-${name}`,
    title,
    description: `${bars.map(({ label, text }) => `${label}: ${text}`).join('; ')}.`,
    unit,
    series: contenders,
    bars,
    format,
  });
  return { name, title, drawn };
}
