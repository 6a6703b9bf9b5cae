import type { SQSRecord } from 'aws-lambda';

export interface MessageVisibility {
  /** @returns what the queue did not accept, behind the error if there is one: it keeps its own visibility timeout */
  change(changes: readonly VisibilityChange[], signal: AbortSignal): Promise<readonly unknown[]>;
}

export interface VisibilityChange {
  readonly record: SQSRecord;
  readonly seconds: number;
}
