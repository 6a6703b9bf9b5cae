import type { RecordForm } from '../../core/outbox/record-form.ts';

/** How an endpoint keeps its outbox records. */
export interface EndpointRecordProps {
  /**
   * Whether handlers keep undispatched records in the sparse index `Undispatched` of the `outboxTable`, in
   * which {@link OutboxRelay} finds them: partition key `recoveryShard`, sort key `storedAt`, both strings.
   * Set it for a table whose schema the endpoint does not see.
   *
   * @default - whether the table is known to have the index
   */
  readonly relayIndex?: boolean;

  /**
   * How handlers store outbox records: `plain` records can be read by build 0.1, to which you can step back
   * then. Records of both forms are read in any case.
   *
   * @default - 'slim', unless an option of the handler says otherwise
   */
  readonly recordForm?: RecordForm;
}
