import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DifferenceName, EngineLabel } from '../../support/engine-differences.ts';
import type { Item } from '../../support/raw-items.ts';

/** Tables of the engine of this run, for every behaviour; each works on keys of its own. */
export interface Bench {
  /** It sends each request once: what is refused is seen as it is. */
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly otherTableName: string;
  /** Whose changes are in a stream, with their new images. */
  readonly streamedTableName: string;
  /** Nothing else is in it. */
  readonly scannedTableName: string;
  /** Of one read and one write unit a second. */
  readonly slowTableName: string;
  /** Of 20 bytes, names and values together, and never used before. */
  newKey(): Item;
}

/** One behaviour of DynamoDB that the package relies on. */
export interface Behaviour {
  /** What DynamoDB does, as a sentence. */
  readonly states: string;
  /**
   * The title of the page that says so, in the "Amazon DynamoDB Developer Guide" or the "Amazon DynamoDB API
   * Reference".
   */
  readonly source: string;
  /** What the engine does. */
  readonly observe: (bench: Bench) => Promise<unknown>;
  /** What `observe` gives on DynamoDB. */
  readonly onDynamoDB: unknown;
  /** Why some engines do otherwise. */
  readonly difference?: DifferenceName;
  /** What `observe` gives on those. */
  readonly instead?: Partial<Record<EngineLabel, unknown>>;
  /** Where the package is tested against it all the same, when no engine shows it. */
  readonly simulatedIn?: Simulation;
  /** Whether it takes so many bytes that only `npm run proofs` observes it. */
  readonly isLarge?: true;
}

/** What takes days, or other machines: no check of a minute can show it on DynamoDB either. */
export interface UnshownBehaviour {
  readonly states: string;
  readonly source: string;
  readonly reason: string;
  readonly simulatedIn: Simulation;
}

export interface Simulation {
  /** From the repository's root. */
  readonly file: string;
  /** A text of that file: where the fault is made. */
  readonly mentions: string;
}
