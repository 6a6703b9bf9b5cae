/** Every default of the test kit, once. */
export const testDefaults = {
  endpoint: 'test',
  /** The endpoint that messages come from, and that `reply` sends to. */
  sender: 'sender',
  publishTo: 'events',
  now: new Date('2026-01-01T00:00:00Z'),
  region: 'us-east-1',
  accountId: '123456789012',
  remainingTimeMs: 30_000,
} as const;
