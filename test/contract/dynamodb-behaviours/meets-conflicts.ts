/** The local engines run one transaction after another. */
export const meetsConflicts = {
  onDynamoDB: true,
  difference: 'transaction-conflicts',
  instead: { dynoxide: false, 'DynamoDB Local': false },
} as const;
