/**
 * Limits of the services, read 2026-11. Sources, by title: "Quotas in Amazon DynamoDB" (items, transactions),
 * "Amazon SQS message quotas" (message size, batch entries, attributes, delay).
 */
export const limits = {
  transactionItems: 100,
  transactionBytes: 4 * 1024 * 1024,
  itemBytes: 400 * 1024,
  messageBytes: 1024 * 1024,
  messageAttributes: 10,
  sendBatchEntries: 10,
  sendBatchBytes: 1024 * 1024,
  delaySeconds: 900,
} as const;
