/** Engines of which we know how they differ from DynamoDB. */
export type EngineLabel = 'dynoxide' | 'DynamoDB Local';

/** What DynamoDB does, and some engines do not. */
export interface EngineDifference {
  /** What DynamoDB does: what cannot be shown on these engines. */
  readonly dynamoDB: string;
  /** The title of the page that says so. */
  readonly source: string;
  readonly engines: readonly EngineLabel[];
  /** What the engines do in its place. */
  readonly reason: string;
}

const bothEngines = ['dynoxide', 'DynamoDB Local'] as const;
const readsAndWrites = 'DynamoDB read and write operations';

/** How the engines differ that the tests run on. docs/reference/engines.md has the same list as a table. */
export const engineDifferences = {
  'transaction-conflicts': {
    dynamoDB: 'Calls that meet a running transaction are refused: conflicts, and a token that is in progress',
    source: 'Amazon DynamoDB Transactions: How it works',
    engines: bothEngines,
    reason: 'transactions run one after another',
  },
  'half-seen-transactions': {
    dynamoDB: 'A batch of reads beside a transaction may see one item new and another one old',
    source: 'Amazon DynamoDB Transactions: How it works',
    engines: ['dynoxide'],
    reason: 'reads wait for the transaction',
  },
  throttling: {
    dynamoDB: 'Calls beyond the capacity are throttled, and batches leave some of it unprocessed',
    source: 'Error handling with DynamoDB',
    engines: bothEngines,
    reason: 'the capacity of a table is stored and not enforced',
  },
  'number-sizes': {
    dynamoDB: 'A number takes about a byte for two significant digits',
    source: 'DynamoDB item sizes and formats',
    engines: ['dynoxide'],
    reason:
      'digits are paired from the first one, not from the decimal point, so a number may be a byte smaller',
  },
  'projected-reads': {
    dynamoDB: 'GetItem with a projection takes the units of the whole item',
    source: readsAndWrites,
    engines: ['dynoxide'],
    reason: 'what is returned is charged',
  },
  'checks-of-written-items': {
    dynamoDB: 'A transaction with a write and a condition check of one item is refused as not valid',
    source: 'TransactWriteItems',
    engines: ['DynamoDB Local'],
    reason: 'a check behind the write sees what was written, and may cancel the transaction first',
  },
  'unfit-updates-in-transactions': {
    dynamoDB: 'An update that does not fit its item cancels a transaction with the reason ValidationError',
    source: 'TransactWriteItems',
    engines: ['DynamoDB Local'],
    reason: 'the transaction is refused as not valid, without reasons',
  },
  'removes-below-missing-maps': {
    dynamoDB: 'A REMOVE of an entry whose map is missing is refused as not valid',
    source: 'Using update expressions in DynamoDB',
    engines: ['dynoxide'],
    reason: 'it is accepted, and changes nothing',
  },
} as const satisfies Record<string, EngineDifference>;

export type DifferenceName = keyof typeof engineDifferences;

/** The engine of this test run, with its version where it tells that. */
export const engineName = process.env.SAGABOX_TEST_DYNAMODB_ENGINE ?? '';

/** undefined for an engine that we do not know: it is taken to do what DynamoDB does. */
export const engineLabel: EngineLabel | undefined = bothEngines.find((label) => engineName.startsWith(label));

/** The difference, if it concerns the engine of this test run. */
export function differenceHere(name: DifferenceName): EngineDifference | undefined {
  const difference: EngineDifference = engineDifferences[name];
  return differs(name) ? difference : undefined;
}

/** Whether the engine of this test run does otherwise than DynamoDB. */
export function differs(name: DifferenceName): boolean {
  const { engines }: EngineDifference = engineDifferences[name];
  return engineLabel !== undefined && engines.includes(engineLabel);
}
