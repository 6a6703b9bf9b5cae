import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { planMessage } from 'sagabox/capacity';
import type { CapacityUnitsPlan, MessageShape } from '../../lib/capacity/message-shape.ts';
import { formatDollars, formatUnits } from '../../lib/cli/plan/format.ts';
import {
  type Cost,
  durableProcess,
  expressProcess,
  lambdaCost,
  messageCost,
  sagaProcess,
  stepFunctionsProcess,
  tablePrices,
  totalOf,
} from './process-costs.ts';
import { providerPrices } from './provider-prices.ts';

const benchmarks = JSON.parse(
  readFileSync(new URL('../../docs/proof/benchmarks.json', import.meta.url), 'utf8'),
);

/** In docs/guide. */
export const costPages = ['costs.md', 'from-step-functions.md'] as const;

const saga = { sagaBytes: 1_000, messageBytes: 500 } as const;
const embedded = { ...saga, layout: 'embedded', sagaCompressionRatio: 0.65 } as const;

/** Units of a message, and what it costs by them, by the messages that it sends. */
type FormCost = (outgoing: 0 | 1 | 3 | 10) => CapacityUnitsPlan & Pick<Cost, 'tables' | 'queues'>;

const planned =
  (shape: MessageShape): FormCost =>
  (outgoing) => {
    const message = sending(shape, outgoing);
    return { ...planMessage(message).newMessage, ...messageCost(message) };
  };

/** The units that `npm run bench` measured: the planner knows the layouts of sagabox only. */
const itemized: FormCost = (outgoing) => {
  const { rcu, wcu } = benchmarks.figures.cost[`N=${outgoing}`].itemized;
  const { perMillionReadRequestUnits: read, perMillionWriteRequestUnits: write } = tablePrices();
  const { queues } = messageCost(sending(saga, outgoing));
  return { rcu, wcu, tables: (rcu * read + wcu * write) / 1e6, queues };
};

const forms: readonly (readonly [name: string, costOf: FormCost])[] = [
  ['no saga', planned({ messageBytes: 500 })],
  ['saga, optimistic', planned(saga)],
  ['saga, eventual', planned({ ...saga, locking: 'eventual' })],
  ['saga, pessimistic', planned({ ...saga, locking: 'pessimistic' })],
  ['saga, embedded outbox, optimistic', planned(embedded)],
  [
    'saga, embedded outbox, optimistic, state not compressible',
    planned({ ...embedded, sagaCompressionRatio: 1 }),
  ],
  ['saga, embedded outbox, pessimistic', planned({ ...embedded, locking: 'pessimistic' })],
  ['saga, `outbox: false`', planned({ ...saga, outbox: false })],
  ['saga, itemized layout, our model of it', itemized],
];

/** Ten messages share much of their text; one or three take no unit less if they are compressed. */
const sending = (shape: MessageShape, outgoing: number): MessageShape => {
  return { ...shape, outgoing, ...(outgoing === 10 && { compressionRatio: 1 / 3 }) };
};

const million = (dollars: number) => formatDollars(dollars * 1e6);

const tables: Readonly<Record<string, () => string>> = {
  prices: () => {
    const { region, asOf } = tablePrices();
    return (
      `Prices of ${region}: DynamoDB on demand and SQS as of ${asOf}, the day of their price lists ("Amazon DynamoDB pricing", "Amazon SQS pricing"), ` +
      `Lambda and Step Functions as of ${providerPrices.asOf} ("AWS Lambda pricing", "AWS Step Functions pricing").\n`
    );
  },
  forms: () =>
    table(
      ['a message that sends one other', 'RCU', 'WCU', 'tables', 'queues', 'together'],
      forms.map(([name, costOf]) => {
        const { rcu, wcu, tables: ofTables, queues } = costOf(1);
        const dollars = [ofTables, queues, ofTables + queues].map(million);
        return [name, formatUnits(rcu), formatUnits(wcu), ...dollars];
      }),
    ),
  outgoing: () =>
    table(
      ['messages that it sends', '0', '1', '3', '10'],
      forms.map(([name, costOf]) => [
        name,
        ...([0, 1, 3, 10] as const).map((outgoing) => million(costOf(outgoing).tables)),
      ]),
    ),
  relay: () => {
    const { invocations, looks } = watcherCosts();
    const { perMillionReadRequestUnits: read, perMillionWriteRequestUnits: write } = tablePrices();
    const rows: readonly (readonly [what: string, dollars: string])[] = [
      ['reads of the stream', '$0'],
      ['invocations of the watcher', `$${invocations.toFixed(3)}`],
      ['a second look at what it saw before its mark', `$${looks.toFixed(3)}`],
      ['**together**', `**$${(invocations + looks).toFixed(3)}**`],
      ['with a `KEYS_ONLY` stream, a read of each item', formatDollars(read)],
      [
        'a million messages that wait in an outage: a put, a delete, a refused claim',
        formatDollars(3 * write),
      ],
    ];
    return table(['the relay, for a million messages that send something', 'cost'], rows);
  },
  batches: () =>
    table(
      ['messages of a batch', 'queues', 'invocations of 20 ms', 'of 50 ms', 'of 200 ms'],
      [1, 10].map((batchSize) => [
        String(batchSize),
        million(messageCost({ ...saga, outgoing: 1 }, batchSize).queues),
        ...[0.02, 0.05, 0.2].map((seconds) => million(lambdaCost({ gigabytes: 0.5, seconds }) / batchSize)),
      ]),
    ),
  processes: () =>
    table(
      ['three steps', 'tables', 'queues', 'Lambda', 'orchestration', 'a million processes'],
      contenders.map(([name, costOf]) => {
        const cost = costOf(3);
        const parts = [cost.tables, cost.queues, cost.lambda, cost.orchestration];
        return [name, ...parts.map(million), `**${million(totalOf(cost))}**`];
      }),
    ),
  steps: () =>
    table(
      ['a million processes of', '1 step', '3 steps', '10 steps', '30 steps'],
      contenders.map(([name, costOf]) => [
        name,
        ...[1, 3, 10, 30].map((steps) => million(totalOf(costOf(steps)))),
      ]),
    ),
  express: () =>
    `Three steps of 100 ms each cost ${million(totalOf(expressProcess(3)))} for a million executions in an Express workflow.\n`,
};

/**
 * Of a million messages that send, whose records change twice each: in full batches, with the time and the share of
 * looks that were seen on a local engine, rounded up.
 */
function watcherCosts(): { readonly invocations: number; readonly looks: number } {
  const batches = 2e6 / 1_000;
  const looks = 0.008 * 1e6;
  return {
    invocations: batches * lambdaCost({ gigabytes: 0.25, seconds: 0.2 }),
    looks: (looks * tablePrices().perMillionReadRequestUnits) / 1e6,
  };
}

const contenders = [
  ['sagabox, outbox records', (steps: number) => sagaProcess(steps, 'records')],
  ['sagabox, embedded outbox', (steps: number) => sagaProcess(steps, 'embedded')],
  ['sagabox, embedded outbox, batches of ten', (steps: number) => sagaProcess(steps, 'embedded', 10)],
  [
    'sagabox, embedded outbox, state not compressible',
    (steps: number) => sagaProcess(steps, 'embedded', 1, 1),
  ],
  ['Step Functions, Standard', stepFunctionsProcess],
  ['Lambda durable functions', durableProcess],
] as const;

/** Each is on one of the pages. */
export const costTableNames = Object.keys(tables);

/** The page with what the planner computes between its markers. */
export function withCostTables(page: string): string {
  return page.replaceAll(
    /(<!-- costs: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => `${start}\n${tables[name]?.()}\n${end}`,
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = head.map((_, at) => (at === 0 ? '---' : '---:'));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

// node --conditions=sagabox-source test/docs/cost-tables.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of costPages) {
    const page = new URL(`../../docs/guide/${name}`, import.meta.url);
    writeFileSync(page, withCostTables(readFileSync(page, 'utf8')));
  }
