import * as z from 'zod';
import { cases, unitNames } from '../cost/figures.ts';

const figure = z.number().nonnegative();

/** One value for each of the names, no more and no fewer. */
function each<Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) {
  return z.record(z.enum(names), value);
}

const units = each(unitNames, figure);
const loaded = ['sagabox', 'powertools', 'middy'] as const;
const bundles = [...loaded, 'sagaboxWithValibot', 'sagaboxWithZod'] as const;
const contentionRound = z.strictObject({
  messages: figure,
  /** Exactly once. */
  applied: figure,
  twice: figure,
  deadLettered: figure,
  conflicts: figure,
  refusedLockAttempts: figure,
  rcuPerMessage: figure,
  wcuPerMessage: figure,
  /** Of refused writes, by DynamoDB's rules: no engine reports them. */
  refusedWcuPerMessage: figure,
  /** To DynamoDB. */
  callsPerMessage: figure,
  seconds: figure,
});
/** The modes of sagabox, and other ways to do the same. */
const contentionRounds = {
  optimistic: contentionRound,
  eventual: contentionRound,
  pessimistic: contentionRound,
  blindSpin: contentionRound,
  retryWithoutJitter: contentionRound,
  turnsWithoutLease: contentionRound,
  jitterWithoutTurns: contentionRound,
};
const timedUnits = each([...unitNames, 'micros'], figure);
const byStateSize = each(['1', '10', '100'], each([...unitNames, 'micros', 'itemWcu'], figure));
const byRecordCount = z.record(z.string().regex(/^\d+$/), timedUnits);
/** By the number of messages in one event. */
export const atATime = ['1', '10', '50'] as const;
const messagesPerSecond = {
  /** With the default concurrency. */
  sagabox: each(atATime, figure),
  /** With compressed state, of sagas that have handled up to 20 messages before. */
  embedded: each(atATime, figure),
  itemized: each(atATime, figure),
};

/** What `npm run bench` measures: the parts of docs/proof/benchmarks.json. */
export const figuresSchema = z
  .strictObject({
    cost: each(
      cases,
      z.strictObject({
        sagabox: units,
        /** With compressed state, of sagas that have handled 10 messages before. */
        embedded: units,
        /** 30 messages. */
        embedded30: units,
        itemized: units,
      }),
    ),
    /**
     * One invocation with 1 or 10 records. The mean includes the garbage collection that the median hides.
     */
    overhead: each(
      ['batch1', 'batch10'],
      each(
        ['sagabox', 'sagaboxSaga', 'powertools', 'middy'],
        each(['medianMicros', 'meanMicros', 'allocatedBytes'], figure),
      ),
    ),
    /**
     * One request under an idempotency key: the first time, and again. Units and calls are those of the engines,
     * times and allocations those on clients that answer at once.
     */
    sessions: each(
      ['first', 'repeated'],
      each(
        ['sagabox', 'sagaboxExclusive', 'powertools'],
        each([...unitNames, 'medianMicros', 'meanMicros', 'allocatedBytes'], figure),
      ),
    ),
    /** Minified, the AWS SDK external. 1 kB is 1,000 bytes. */
    bundle: z.strictObject({
      kB: each(bundles, figure),
      gzipKB: each(bundles, figure),
      /** kB by folder of sagabox or by package, largest first. */
      parts: each(['sagabox', 'powertools'], z.record(z.string(), figure)),
    }),
    /** Medians over fresh processes, without the start of Node itself. */
    coldLoad: z.strictObject({
      rounds: figure,
      withSdkMs: each(loaded, figure),
      /** The bundle by itself, with its part of the SDK loaded before. */
      aloneMs: each(loaded, figure),
      sdkLoadedAtOnce: each(['sagabox', 'powertools'], z.array(z.string())),
    }),
    throughput: z.strictObject({
      ...messagesPerSecond,
      /** Each call takes as long as it would take on AWS. */
      withServiceTimes: z.strictObject(messagesPerSecond),
    }),
    contention: z.strictObject({
      ...contentionRounds,
      /** Optimistic, with a compressed state. */
      embedded: contentionRound,
    }),
    growth: z.strictObject({
      outboxRecords: byRecordCount,
      /** Runs of the relay that find no record to send. */
      idleRelay: byRecordCount,
      /**
       * By the size of the saga's item in kB of 1,000 bytes; `itemWcu` is what a transaction takes for it.
       */
      stateKB: byStateSize,
      /** The same with `state: { compress: true }`, by the size that the item has without it. */
      compressedStateKB: byStateSize,
    }),
  })
  .partial();

/** Of the parts that were measured. */
export type MeasuredFigures = z.infer<typeof figuresSchema>;
export type Figures = { [Part in keyof MeasuredFigures]-?: NonNullable<MeasuredFigures[Part]> };
export type PartName = keyof Figures;
export type ContentionRound = Figures['contention']['optimistic'];

/** The modes of sagabox. */
export function modesOf({ optimistic, eventual, pessimistic, embedded }: Figures['contention']) {
  return [optimistic, eventual, pessimistic, embedded];
}

/** The WCU of one message, those of refused writes included. */
export function wcuOfMessage({ wcuPerMessage, refusedWcuPerMessage }: ContentionRound): number {
  return wcuPerMessage + refusedWcuPerMessage;
}
