import type { BarChartData } from '../../lib/charts/chart.ts';
import {
  atATime,
  type ContentionRound,
  type Figures,
  type MeasuredFigures,
  modesOf,
  wcuOfMessage,
} from '../benchmark/figures.ts';
import { cases, type Units } from '../cost/figures.ts';
import {
  formatAllocatedKB,
  formatKB,
  formatMicros,
  formatMillis,
  formatRatio,
  formatSeconds,
  formatUnits,
  formatWhole,
} from './format.ts';
import { type Column, chartOf, type LabeledRow, type Table, tableOf } from './tables.ts';

/** The figures of one part. The template of the page says what they mean. */
export interface Section {
  readonly heading: string;
  readonly tables: readonly Table[];
  /** By the names of their files: `benchmark-<name>.svg`. */
  readonly charts: Readonly<Record<string, BarChartData>>;
}

const sectionOf: { readonly [Part in keyof Figures]: (figures: Figures[Part]) => Section } = {
  cost: costSection,
  overhead: overheadSection,
  sessions: sessionsSection,
  bundle: bundleSection,
  coldLoad: coldLoadSection,
  throughput: throughputSection,
  contention: contentionSection,
  growth: growthSection,
};

/** Of the measured parts, by part. */
export function sectionsOf(figures: MeasuredFigures): Readonly<Record<string, Section>> {
  const parts = Object.keys(sectionOf).filter((part) => part in figures) as (keyof Figures)[];
  const section = <Part extends keyof Figures>(part: Part) => sectionOf[part](figures[part] as Figures[Part]);
  return Object.fromEntries(parts.map((part) => [part, section(part)]));
}

/** The same columns for each side of a comparison: the first heading of each names the side. */
function sideBySide<Side extends string, Row>(
  sides: Readonly<Record<Side, string>>,
  columns: readonly Column<Row>[],
): Column<Readonly<Record<Side, Row>>>[] {
  return (Object.entries(sides) as [Side, string][]).flatMap(([side, label]) =>
    columns.map(([heading, value, format], index): Column<Readonly<Record<Side, Row>>> => {
      return [index === 0 ? `${label}: ${heading}` : heading, (row) => value(row[side]), format];
    }),
  );
}

const unitColumns: readonly Column<Units>[] = [
  ['calls', ({ calls }) => calls, formatUnits],
  ['RCU', ({ rcu }) => rcu, formatUnits],
  ['WCU', ({ wcu }) => wcu, formatUnits],
  ['refused WCU', ({ refusedWcu }) => refusedWcu, formatUnits],
];

const layouts = { sagabox: 'sagabox', itemized: 'itemized' } as const;

function costSection(cost: Figures['cost']): Section {
  const rows = cases.map((name) => [name, cost[name]] as const);
  const chart = (title: string, name: string, unit: keyof Units, shown: typeof rows) =>
    chartOf(title, name, shown, [
      [layouts.sagabox, ({ sagabox }) => sagabox[unit], formatUnits],
      [layouts.itemized, ({ itemized }) => itemized[unit], formatUnits],
    ]);
  const messages = rows.filter(([name]) => name !== 'batch10');
  return {
    heading: 'Cost',
    tables: [tableOf('', rows, sideBySide(layouts, unitColumns))],
    charts: {
      'cost-wcu': chart('Write units by the messages that one message sends', 'WCU', 'wcu', messages),
      'cost-calls': chart('Calls by the messages that one message sends', 'calls', 'calls', rows),
    },
  };
}

function overheadSection({ batch1, batch10 }: Figures['overhead']): Section {
  const rows = (
    [
      ['sagabox', 'sagabox'],
      ['sagabox, saga and send', 'sagaboxSaga'],
      ['Powertools', 'powertools'],
      ['bare middy', 'middy'],
    ] as const
  ).map(([label, name]) => [label, { batch1: batch1[name], batch10: batch10[name] }] as const);
  const columns: readonly Column<Figures['overhead']['batch1']['sagabox']>[] = [
    ['median', ({ medianMicros }) => medianMicros, formatMicros],
    ['mean', ({ meanMicros }) => meanMicros, formatMicros],
    ['allocated', ({ allocatedBytes }) => allocatedBytes / 1000, formatAllocatedKB],
  ];
  const title = 'Median time of one invocation with ten records, clients that answer at once';
  return {
    heading: 'Overhead',
    tables: [tableOf('', rows, sideBySide({ batch1: '1 record', batch10: '10 records' }, columns))],
    charts: {
      overhead: chartOf(title, 'microseconds', rows, [
        ['median', (figures) => figures.batch10.medianMicros, formatMicros],
      ]),
    },
  };
}

function sessionsSection({ first, repeated }: Figures['sessions']): Section {
  const rows = (
    [
      ['sagabox', 'sagabox'],
      ['sagabox, exclusive', 'sagaboxExclusive'],
      ['Powertools', 'powertools'],
    ] as const
  ).map(([label, name]) => [label, { first: first[name], repeated: repeated[name] }] as const);
  const columns: readonly Column<Figures['sessions']['first']['sagabox']>[] = [
    ...unitColumns,
    ['median', ({ medianMicros }) => medianMicros, formatMicros],
    ['mean', ({ meanMicros }) => meanMicros, formatMicros],
    ['allocated', ({ allocatedBytes }) => allocatedBytes / 1000, formatAllocatedKB],
  ];
  return {
    heading: 'Sessions',
    tables: [tableOf('', rows, sideBySide({ first: 'first request', repeated: 'repeated' }, columns))],
    charts: {},
  };
}

/** The figures whose goals are ratios of medians, beside their means, which may tell otherwise. */
export function mediansAndMeans({ overhead: { batch10 }, sessions: { first, repeated } }: Figures): Table {
  const rows = [
    ['a batch of ten records', { sagabox: batch10.sagabox, powertools: batch10.powertools }],
    ['a first request', { sagabox: first.sagaboxExclusive, powertools: first.powertools }],
    ['a repeated request', { sagabox: repeated.sagaboxExclusive, powertools: repeated.powertools }],
  ] as const;
  type Row = (typeof rows)[number][1];
  const columnsOf = (name: string, micros: 'medianMicros' | 'meanMicros'): Column<Row>[] => [
    [`${name}: sagabox`, ({ sagabox }) => sagabox[micros], formatMicros],
    ['Powertools', ({ powertools }) => powertools[micros], formatMicros],
    ['ratio', ({ sagabox, powertools }) => sagabox[micros] / powertools[micros], formatRatio],
  ];
  return tableOf('time of', rows, [
    ...columnsOf('median', 'medianMicros'),
    ...columnsOf('mean', 'meanMicros'),
  ]);
}

/** A figure of each bundle that is loaded. */
function bundleColumns(format: Column<unknown>[2]) {
  return [
    ['sagabox', ({ sagabox }) => sagabox, format],
    ['Powertools', ({ powertools }) => powertools, format],
    ['bare middy', ({ middy }) => middy, format],
  ] as const satisfies Column<Figures['coldLoad']['aloneMs']>[];
}

function bundleSection({ kB, gzipKB, parts }: Figures['bundle']): Section {
  const rows = [
    ['minified', kB],
    ['gzipped', gzipKB],
  ] as const;
  const columns = [
    ...bundleColumns(formatKB),
    ['sagabox, valibot', ({ sagaboxWithValibot }) => sagaboxWithValibot, formatKB],
    ['sagabox, zod', ({ sagaboxWithZod }) => sagaboxWithZod, formatKB],
  ] as const satisfies Column<typeof kB>[];
  return {
    heading: 'Bundle',
    tables: [
      tableOf('', rows, columns),
      partsTable('parts of sagabox, minified', parts.sagabox),
      partsTable('parts of Powertools, minified', parts.powertools),
    ],
    charts: { bundle: chartOf('Size of the bundle, the AWS SDK external', 'kilobytes', rows, columns) },
  };
}

/** Parts below this size are summed up as 'others'. */
const smallestPartKB = 0.5;

function partsTable(corner: string, parts: Readonly<Record<string, number>>): Table {
  const { large = [], small = [] } = Object.groupBy(Object.entries(parts), ([, kB]) =>
    kB >= smallestPartKB ? 'large' : 'small',
  );
  const others = small.reduce((sum, [, kB]) => sum + kB, 0);
  const rows: LabeledRow<number>[] = others === 0 ? large : [...large, ['others', others]];
  return tableOf(corner, rows, [['size', (kB) => kB, formatKB]]);
}

function coldLoadSection({ aloneMs, withSdkMs }: Figures['coldLoad']): Section {
  const rows = [
    ['alone', aloneMs],
    ['with the SDK', withSdkMs],
  ] as const;
  const columns = bundleColumns(formatMillis);
  const chart = chartOf('Time to load the bundle in a fresh process', 'milliseconds', rows, columns);
  return { heading: 'Start', tables: [tableOf('', rows, columns)], charts: { 'cold-load': chart } };
}

type MessagesPerSecond = Figures['throughput']['withServiceTimes'];
type Speeds = Readonly<Record<keyof MessagesPerSecond, number>>;

function throughputSection({ withServiceTimes, ...asItIs }: Figures['throughput']): Section {
  const both = <Value>(of: (figures: MessagesPerSecond) => Value) => {
    return { asItIs: of(asItIs), waiting: of(withServiceTimes) };
  };
  const rows = atATime.map((count) => {
    const of = ({ sagabox, embedded, itemized }: MessagesPerSecond): Speeds => {
      return {
        sagabox: sagabox[count],
        embedded: embedded[count],
        itemized: itemized[count],
      };
    };
    return [`${count} at a time`, both(of)] as const;
  });
  const ratio: Column<Speeds> = ['ratio', ({ sagabox, itemized }) => sagabox / itemized, formatRatio];
  const columns = [
    ['sagabox', ({ sagabox }) => sagabox, formatWhole],
    ['itemized', ({ itemized }) => itemized, formatWhole],
    ratio,
    ['embedded', ({ embedded }) => embedded, formatWhole],
    ['its ratio', ({ embedded, itemized }) => embedded / itemized, formatRatio],
  ] as const satisfies Column<Speeds>[];
  const [, ratioOf] = ratio;
  const title = 'Messages per second of sagabox / of the itemized layout';
  return {
    heading: 'Throughput',
    tables: [
      tableOf('', rows, sideBySide({ asItIs: 'engines as they are', waiting: 'service times' }, columns)),
    ],
    charts: {
      throughput: chartOf(title, 'ratio', rows, [
        ['engines as they are', ({ asItIs: figures }) => ratioOf(figures), formatRatio],
        ['with service times', ({ waiting }) => ratioOf(waiting), formatRatio],
      ]),
    },
  };
}

const contentionColumns: readonly Column<ContentionRound>[] = [
  ['messages', ({ messages }) => messages, formatWhole],
  ['applied once', ({ applied }) => applied, formatWhole],
  ['applied twice', ({ twice }) => twice, formatWhole],
  ['dead-lettered', ({ deadLettered }) => deadLettered, formatWhole],
  ['conflicts', ({ conflicts }) => conflicts, formatWhole],
  ['refused lock attempts', ({ refusedLockAttempts }) => refusedLockAttempts, formatWhole],
  ['RCU per message', ({ rcuPerMessage }) => rcuPerMessage, formatUnits],
  ['WCU per message', ({ wcuPerMessage }) => wcuPerMessage, formatUnits],
  ['refused WCU per message', ({ refusedWcuPerMessage }) => refusedWcuPerMessage, formatUnits],
  ['calls per message', ({ callsPerMessage }) => callsPerMessage, formatUnits],
  ['time', ({ seconds }) => seconds, formatSeconds],
];

const contenderLabels: Readonly<Record<keyof Figures['contention'], string>> = {
  optimistic: 'optimistic',
  eventual: 'eventual',
  embedded: 'embedded outbox',
  pessimistic: 'pessimistic',
  blindSpin: 'blind spin',
  retryWithoutJitter: 'plain retry loop',
  turnsWithoutLease: 'turns, no lease',
  jitterWithoutTurns: 'jitter, no turns',
};

export function contentionTable(contention: Partial<Figures['contention']>): Table {
  return tableOf('', contentionRows(contention), contentionColumns);
}

function contentionRows(contention: Partial<Figures['contention']>): LabeledRow<ContentionRound>[] {
  return (Object.entries(contention) as [keyof Figures['contention'], ContentionRound][]).map(
    ([name, round]) => [contenderLabels[name], round],
  );
}

function contentionSection(contention: Figures['contention']): Section {
  const own = modesOf(contention);
  const isOwn = (round: ContentionRound) => own.includes(round);
  const title = 'Write units of one message when all meet one saga, refused ones included';
  const chart = chartOf(title, 'WCU per message', contentionRows(contention), [
    ['sagabox', (round) => (isOwn(round) ? wcuOfMessage(round) : undefined), formatUnits],
    ['another way', (round) => (isOwn(round) ? undefined : wcuOfMessage(round)), formatUnits],
  ]);
  return {
    heading: 'Contention',
    tables: [contentionTable(contention)],
    charts: { contention: { ...chart, stacked: true } },
  };
}

function growthSection(growth: Figures['growth']): Section {
  const { outboxRecords, idleRelay, stateKB, compressedStateKB } = growth;
  const byRecords = <Row>(points: Readonly<Record<string, Row>>) =>
    Object.entries(points).map(([count, row]) => [`${formatWhole(Number(count))} records`, row] as const);
  const sizes = Object.keys(stateKB) as (keyof typeof stateKB)[];
  const byBytes = sizes.flatMap((size) => [
    [`${size} kB`, stateKB[size]] as const,
    [`${size} kB, compressed`, compressedStateKB[size]] as const,
  ]);
  const time: Column<{ readonly micros: number }> = ['time', ({ micros }) => micros / 1000, formatMillis];
  const columns = [...unitColumns, time] as const;
  const title = 'Time of one message, by the records that the outbox holds';
  const ofState = chartOf('Write units of one message, by the size of its saga', 'WCU', byBytes, [
    ["the saga's item", ({ itemWcu }) => itemWcu, formatUnits],
    ['everything else', ({ wcu, itemWcu }) => wcu - itemWcu, formatUnits],
  ]);
  return {
    heading: 'Growth',
    tables: [
      tableOf('one message, by outbox records', byRecords(outboxRecords), columns),
      tableOf('one run of an idle relay, by outbox records', byRecords(idleRelay), columns),
      tableOf("one message, by the saga's item", byBytes, [
        ...columns,
        ["WCU of the saga's item", ({ itemWcu }) => itemWcu, formatUnits],
      ]),
    ],
    charts: {
      'growth-outbox': chartOf(title, 'milliseconds', byRecords(outboxRecords), [time]),
      'growth-state': { ...ofState, stacked: true },
    },
  };
}
