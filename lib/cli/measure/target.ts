import type { Clients } from '../clients.ts';

/** What a run works with. */
export interface MeasureTarget extends Clients {
  /** For people: `dynoxide 1.2.1`, or that it is an account. */
  readonly engine: string;
  /** The same as the outbox table where they share one. */
  readonly sagaTableName: string;
  readonly outboxTableName: string;
  /** One for each destination. */
  readonly queueUrls: readonly string[];
}
