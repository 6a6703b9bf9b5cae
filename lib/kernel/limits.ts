/**
 * Limits of the services, read 2026-11. Sources, by title: "Quotas in Amazon DynamoDB" (items, transactions,
 * batches), "Amazon SQS message quotas" (message size, batch entries, attributes, delay), "Amazon SNS
 * endpoints and quotas" and "Publishing large messages with Amazon SNS" (topics: up to 1 MiB by their
 * attribute MaximumMessageSize), "Amazon EventBridge quotas" (events: 1 MB since 2026-01), "Quotas for Amazon
 * EventBridge Scheduler" (input of a schedule). A year as the longest delay is our own, and so is the size of
 * a claim-checked body: it is held in memory as a whole, next to those of the same batch.
 */
export const limits = {
  transactionItems: 100,
  transactionBytes: 4 * 1024 * 1024,
  itemBytes: 400 * 1024,
  /** An item of a saga: a lease of the next message needs the rest of the 400 KB. */
  sagaItemBytes: 399 * 1024,
  attributeNameBytes: 65_535,
  /** Of a state: an item has 32, and the attribute that holds the state is one. */
  nestedLevels: 31,
  batchWriteItems: 25,
  minMessageBytes: 1024,
  messageBytes: 1024 * 1024,
  /** Of a queue of unknown size: SQS creates them with 1 MiB, and left older ones at 256 KiB. */
  unknownQueueMessageBytes: 256 * 1024,
  messageAttributes: 10,
  sendBatchEntries: 10,
  sendBatchBytes: 1024 * 1024,
  delaySeconds: 900,
  /**
   * 20 minutes less than the 12 hours of a visibility timeout, which count from when the message was received: room
   * for an invocation of 15 minutes and its wait.
   */
  visibilitySeconds: 42_000,
  /** Of a topic that says no more. */
  topicMessageBytes: 256 * 1024,
  topicBatchBytes: 256 * 1024,
  eventBytes: 1024 * 1024,
  eventBatchBytes: 1024 * 1024,
  scheduleInputBytes: 256 * 1024,
  maxDelaySeconds: 365 * 24 * 60 * 60,
  claimCheckBytes: 50 * 1024 * 1024,
} as const;
