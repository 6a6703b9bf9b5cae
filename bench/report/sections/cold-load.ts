import type { ColdLoadFigures } from '../../benchmark/benchmark-figures.ts';
import { formatMillis, formatSignificant } from '../../benchmark/format.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

export function coldLoadSection(figures: ColdLoadFigures): Section {
  const { sagabox, powertools, middy, withoutSdk, sdkLoadedAtOnce, rounds } = figures;
  const loads = [
    { name: 'sagabox', whole: sagabox, alone: withoutSdk.sagabox },
    { name: 'Powertools', whole: powertools, alone: withoutSdk.powertools },
    { name: 'bare middy', whole: middy, alone: withoutSdk.middy },
  ];
  return {
    heading: 'Start',
    explanation: [
      `How long a fresh process takes to load [the bundle](#bundle), without the start of Node itself: medians of ${rounds} processes for each, which take
turns. \`alone\` is the bundle when what it loads of the AWS SDK is there already; \`with the SDK\` is both. sagabox loads
${listed(sdkLoadedAtOnce.sagabox)} with the bundle, Powertools ${listed(sdkLoadedAtOnce.powertools)}, bare middy none of it,
from the packages that are installed here.`,
      `Both sides make their clients while they are loaded, sagabox two and Powertools one. Left to itself sagabox makes them at the first message: its load is
then shorter, and its first invocation longer by as much. Loads of a few milliseconds differ from run to run by more than the two sides do: these times are
no bounds.`,
    ],
    tables: [
      {
        head: ['', 'alone', 'with the SDK'],
        rows: loads.map(({ name, whole, alone }) => [name, formatMillis(alone), formatMillis(whole)]),
      },
    ],
    charts: [
      comparisonChart({
        name: 'cold-load',
        title: 'Time to load the bundle in a fresh process',
        unit: 'milliseconds',
        contenders: loads.map(({ name }) => name),
        groups: [
          { label: 'alone,', values: loads.map(({ alone }) => alone) },
          { label: 'with the SDK,', values: loads.map(({ whole }) => whole) },
        ],
        format: formatSignificant,
      }),
    ],
  };
}

function listed(packages: readonly string[]): string {
  return packages.length === 0 ? 'none of it' : packages.map((name) => `\`${name}\``).join(' and ');
}
