import type { BarChartData } from '../../lib/charts/chart.ts';
import { defaults } from '../../lib/middleware/defaults.ts';
import type {
  BenchmarkFigures,
  BundlePart,
  ContentionRound,
  GrowthPoint,
} from '../benchmark/benchmark-figures.ts';
import {
  formatAllocated,
  formatKB,
  formatMicros,
  formatMillis,
  formatRatio,
  formatSeconds,
  formatSignificant,
  formatUnits,
  formatWhole,
} from '../benchmark/format.ts';
import { type Case, cases, type Figures } from '../cost/figures.ts';
import { wcuOfMessage } from '../limits/contention-figures.ts';

export interface Table {
  readonly head: readonly string[];
  /** The first cell of each row tells what it is of; the others are figures. */
  readonly rows: readonly (readonly string[])[];
}

/** The figures of one part of the benchmark. What they mean is in benchmarks.template.md. */
export interface Section {
  readonly heading: string;
  readonly tables: readonly Table[];
  /** By the names of their files: `benchmark-<name>.svg`. */
  readonly charts: Readonly<Record<string, BarChartData>>;
}

type Part = keyof BenchmarkFigures;

/** Of the parts that were measured. */
export function sectionsOf(figures: Partial<BenchmarkFigures>): Partial<Record<Part, Section>> {
  const { cost, overhead, bundle, coldLoadMs, throughput, contention, growth } = figures;
  return {
    ...(cost && { cost: costSection(cost) }),
    ...(overhead && { overhead: overheadSection(overhead) }),
    ...(bundle && { bundle: bundleSection(bundle) }),
    ...(coldLoadMs && { coldLoadMs: coldLoadSection(coldLoadMs) }),
    ...(throughput && { throughput: throughputSection(throughput) }),
    ...(contention && { contention: contentionSection(contention) }),
    ...(growth && { growth: growthSection(growth) }),
  };
}

function costSection(cost: BenchmarkFigures['cost']): Section {
  const cells = ({ calls, rcu, wcu }: Figures) => [calls, rcu, wcu].map(formatUnits);
  const compared = (names: readonly Case[], kind: keyof Figures) => ({
    series: ['sagabox', 'itemized'],
    groups: names.map((label) => ({
      label,
      values: [cost[label].sagabox[kind], cost[label].itemized[kind]],
    })),
    format: formatUnits,
  });
  return {
    heading: 'Cost',
    tables: [
      {
        head: ['', ...['sagabox', 'itemized'].flatMap((name) => [`${name}: calls`, 'RCU', 'WCU'])],
        rows: cases.map((name) => [name, ...cells(cost[name].sagabox), ...cells(cost[name].itemized)]),
      },
    ],
    charts: {
      'cost-wcu': {
        title: 'Write units of one message that sends N messages, or is discarded',
        unit: 'WCU',
        ...compared(
          cases.filter((name) => name !== 'batch10'),
          'wcu',
        ),
      },
      'cost-calls': {
        title: 'Calls for one message that sends N, for a batch of ten, and for a discard',
        unit: 'calls',
        ...compared(cases, 'calls'),
      },
    },
  };
}

function overheadSection({ batch1, batch10 }: BenchmarkFigures['overhead']): Section {
  const contenders = [
    ['sagabox', 'sagabox'],
    ['sagabox, saga and send', 'sagaboxSaga'],
    ['Powertools', 'powertools'],
    ['bare middy', 'middy'],
  ] as const;
  return {
    heading: 'Overhead',
    tables: [
      {
        head: ['', ...['1 record', '10 records'].flatMap((size) => [`${size}: median`, 'mean', 'allocated'])],
        rows: contenders.map(([name, key]) => [
          name,
          ...[batch1, batch10].flatMap((batch) => [
            formatMicros(batch[`${key}Micros`]),
            formatMicros(batch[`${key}MeanMicros`]),
            formatAllocated(batch[`${key}AllocatedBytes`]),
          ]),
        ]),
      },
    ],
    charts: {
      overhead: {
        title: 'Median time of one invocation with ten records, clients that answer at once',
        unit: 'microseconds',
        series: ['median'],
        groups: contenders.map(([label, key]) => ({ label, values: [batch10[`${key}Micros`]] })),
        format: formatSignificant,
      },
    },
  };
}

/** Parts that are smaller are told together. */
const smallestPartKB = 0.5;

function bundleSection(bundle: BenchmarkFigures['bundle']): Section {
  const contenders = [
    ['sagabox', bundle.sagaboxKB, bundle.sagaboxGzipKB],
    ['Powertools', bundle.powertoolsKB, bundle.powertoolsGzipKB],
    ['bare middy', bundle.middyKB, bundle.middyGzipKB],
  ] as const;
  return {
    heading: 'Bundle',
    tables: [
      {
        head: ['', 'minified', 'gzipped'],
        rows: contenders.map(([name, minified, gzipped]) => [name, formatKB(minified), formatKB(gzipped)]),
      },
      partsTable("where sagabox's bytes are, minified", bundle.sagaboxParts),
      partsTable("where Powertools' bytes are, minified", bundle.powertoolsParts),
    ],
    charts: {
      bundle: {
        title: 'Size of the bundle, the AWS SDK external',
        unit: 'kilobytes',
        series: contenders.map(([name]) => name),
        groups: [
          { label: 'minified', values: contenders.map(([, minified]) => minified) },
          { label: 'gzipped', values: contenders.map(([, , gzipped]) => gzipped) },
        ],
        format: formatSignificant,
      },
    },
  };
}

function partsTable(heading: string, parts: readonly BundlePart[]): Table {
  const large = parts.filter(({ kB }) => kB >= smallestPartKB);
  const others = parts.filter(({ kB }) => kB < smallestPartKB).reduce((sum, { kB }) => sum + kB, 0);
  const rows = large.map(({ part, kB }) => [part, formatKB(kB)]);
  return { head: [heading, 'size'], rows: others === 0 ? rows : [...rows, ['others', formatKB(others)]] };
}

function coldLoadSection(figures: BenchmarkFigures['coldLoadMs']): Section {
  const loads = [
    ['sagabox', 'sagabox'],
    ['Powertools', 'powertools'],
    ['bare middy', 'middy'],
  ] as const;
  const kinds = [
    { label: 'alone', of: figures.withoutSdk },
    { label: 'with the SDK', of: figures },
  ];
  return {
    heading: 'Start',
    tables: [
      {
        head: ['', ...kinds.map(({ label }) => label)],
        rows: loads.map(([name, key]) => [name, ...kinds.map(({ of }) => formatMillis(of[key]))]),
      },
    ],
    charts: {
      'cold-load': {
        title: 'Time to load the bundle in a fresh process',
        unit: 'milliseconds',
        series: loads.map(([name]) => name),
        groups: kinds.map(({ label, of }) => ({ label, values: loads.map(([, key]) => of[key]) })),
        format: formatSignificant,
      },
    },
  };
}

function throughputSection(throughput: BenchmarkFigures['throughput']): Section {
  const { sagaboxDefaultConcurrency: byDefault, itemized: peer } = throughput['50'];
  const atATime = (['1', '10', '50'] as const).map((count) => ({ count, ...throughput[count] }));
  const rows = [
    ...atATime.map(({ count, ...figures }) => ({ name: count, ...figures })),
    {
      name: `50, with the default \`concurrency\` of ${defaults.concurrency}`,
      sagabox: byDefault,
      itemized: peer,
      ratio: byDefault / peer,
    },
  ];
  return {
    heading: 'Throughput',
    tables: [
      {
        head: ['at a time', 'sagabox', 'itemized', 'ratio'],
        rows: rows.map(({ name, sagabox, itemized, ratio }) => [
          name,
          formatWhole(sagabox),
          formatWhole(itemized),
          formatRatio(ratio),
        ]),
      },
    ],
    charts: {
      throughput: {
        title: 'Messages per second on the local engines',
        unit: 'messages per second',
        series: ['sagabox', 'itemized'],
        groups: atATime.map(({ count, sagabox, itemized }) => ({
          label: `${count} at a time`,
          values: [sagabox, itemized],
        })),
        format: formatWhole,
      },
    },
  };
}

function contentionSection(contention: BenchmarkFigures['contention']): Section {
  const rounds = [
    ['optimistic', contention.optimistic],
    ['eventual', contention.eventual],
    ['pessimistic', contention.pessimistic],
    ['blind spin', contention.blindSpin],
    ['plain retry loop', contention.retryWithoutJitter],
    ['turns, no jitter', contention.turnsWithoutJitter],
    ['jitter, no turns', contention.jitterWithoutTurns],
  ] as const;
  const columns: readonly (readonly [string, (round: ContentionRound) => string])[] = [
    ['messages', ({ messages }) => formatWhole(messages)],
    ['applied once', ({ appliedOnce }) => formatWhole(appliedOnce)],
    ['applied twice', ({ appliedTwice }) => formatWhole(appliedTwice)],
    ['dead-lettered', ({ deadLettered }) => formatWhole(deadLettered)],
    ['conflicts', ({ conflicts }) => formatWhole(conflicts)],
    ['refused lock attempts', ({ refusedLockAttempts }) => formatWhole(refusedLockAttempts)],
    ['RCU per message', ({ rcuPerMessage }) => formatUnits(rcuPerMessage)],
    ['WCU per message', ({ wcuPerMessage }) => formatUnits(wcuPerMessage)],
    ['refused WCU per message', ({ refusedWcuPerMessage }) => formatUnits(refusedWcuPerMessage)],
    ['time', ({ seconds }) => formatSeconds(seconds)],
  ];
  return {
    heading: 'Contention',
    tables: [
      {
        head: ['', ...columns.map(([name]) => name)],
        rows: rounds.map(([name, round]) => [name, ...columns.map(([, cell]) => cell(round))]),
      },
    ],
    charts: {
      contention: {
        title: 'Write units of one message when all meet one saga, refused ones included',
        unit: 'WCU per message',
        series: ['sagabox', 'another way'],
        groups: rounds.map(([label, round], index) => {
          const wcu = wcuOfMessage(round);
          return { label, values: index < 3 ? [wcu, undefined] : [undefined, wcu] };
        }),
        stacked: true,
        format: formatUnits,
      },
    },
  };
}

function growthSection({ outboxRecords, idleRelay, stateKB }: BenchmarkFigures['growth']): Section {
  const cells = ({ calls, rcu, wcu, microsPerMessage }: GrowthPoint) => [
    ...[calls, rcu, wcu].map(formatUnits),
    formatMillis(microsPerMessage / 1000),
  ];
  const records = (count: string) => formatWhole(Number(count));
  const sizes = (['1', '10', '100'] as const).map((size) => ({ size, ...stateKB[size] }));
  return {
    heading: 'Growth',
    tables: [
      {
        head: ['outbox records', 'calls', 'RCU', 'WCU', 'time of one message'],
        rows: Object.entries(outboxRecords).map(([count, point]) => [records(count), ...cells(point)]),
      },
      {
        head: ['outbox records', 'calls of a relay', 'RCU', 'WCU', 'time of one run'],
        rows: Object.entries(idleRelay).map(([count, { micros, ...figures }]) => [
          records(count),
          ...cells({ ...figures, microsPerMessage: micros }),
        ]),
      },
      {
        head: ["the saga's item", 'calls', 'RCU', 'WCU', 'time of one message', "WCU of the saga's item"],
        rows: sizes.map(({ size, itemWcu, ...point }) => [
          `${size} kB`,
          ...cells(point),
          formatUnits(itemWcu),
        ]),
      },
    ],
    charts: {
      'growth-outbox': {
        title: 'Time of one message, by the records that the outbox holds',
        unit: 'milliseconds',
        series: ['sagabox'],
        groups: Object.entries(outboxRecords).map(([count, { microsPerMessage }]) => ({
          label: `${records(count)} records`,
          values: [microsPerMessage / 1000],
        })),
        format: formatSignificant,
      },
      'growth-state': {
        title: 'Write units of one message, by the size of its saga',
        unit: 'WCU',
        series: ["the saga's item", 'everything else'],
        groups: sizes.map(({ size, wcu, itemWcu }) => ({
          label: `an item of ${size} kB`,
          values: [itemWcu, wcu - itemWcu],
        })),
        stacked: true,
        format: formatUnits,
      },
    },
  };
}
