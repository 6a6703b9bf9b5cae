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
}
