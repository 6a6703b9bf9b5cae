import type { PlanEmbedded } from '../adapters/dynamodb/commit/planned-write.ts';
import type { ReadEmbedded } from '../adapters/dynamodb/saga/saga-item.ts';
import type { Table } from '../adapters/dynamodb/table.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import type { Outbox } from '../flow/attempt.ts';
import type { EmbeddedSagas, Ports } from '../ports.ts';
import type { SagaOutboxOptions } from './options.ts';
import type { Environment } from './settings.ts';

/** What the outbox of a saga brings along for its endpoint, where that is no outbox of records. */
export interface OutboxParts {
  readonly readEmbedded: ReadEmbedded;
  /** On the saga table. @throws SagaboxError `Configuration` */
  readonly onTable: (
    table: Table,
    options: SagaOutboxOptions,
    environment: Environment,
  ) => { readonly embedded: EmbeddedSagas; readonly planEmbedded: PlanEmbedded };
  /** The outbox of the flow. @throws SagaboxError `Configuration` for settings with which there can be none */
  readonly outboxOf: (
    saga: SagaRules,
    options: SagaOutboxOptions,
    environment: Environment,
    ports: Ports,
  ) => Outbox;
}

/** @returns undefined for outbox records */
export function outboxParts(saga: SagaRules | undefined): OutboxParts | undefined {
  // The core has no type for them, and `embeddedOutbox` alone puts them there.
  return saga?.outbox?.parts as OutboxParts | undefined;
}
