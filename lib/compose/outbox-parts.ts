import type { Outbox } from '../attempt/attempt.ts';
import type { Ports } from '../attempt/ports.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import type { PlanEmbedded } from '../outbox/commit/planned-write.dynamodb.ts';
import type { EmbeddedSagas } from '../outbox/embedded/embedded-sagas.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import type { ReadEmbedded } from '../saga/item/read-saga-item.dynamodb.ts';
import type { Environment } from '../settings/setting.ts';
import type { SagaOutboxOptions } from './options.ts';

/** The parts that an embedded outbox brings along for the endpoint of its saga. */
export interface OutboxParts {
  readonly readEmbedded: ReadEmbedded;
  /** Makes the ports on the saga table. @throws SagaboxError `Configuration` */
  readonly onTable: (
    table: Table,
    options: SagaOutboxOptions,
    environment: Environment,
  ) => { readonly embedded: EmbeddedSagas; readonly planEmbedded: PlanEmbedded };
  /** Makes the outbox of the flow. @throws SagaboxError `Configuration` for settings that exclude it */
  readonly outboxOf: (
    saga: SagaRules,
    options: SagaOutboxOptions,
    environment: Environment,
    ports: Ports,
  ) => Outbox;
}

/** @returns undefined for outbox records */
export function outboxParts(saga: SagaRules | undefined): OutboxParts | undefined {
  // The saga has no type for them, and `embeddedOutbox` alone puts them there.
  return saga?.outbox?.parts as OutboxParts | undefined;
}
