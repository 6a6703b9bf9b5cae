/** What reports, events and log lines tell of the message `m1` of these tests. */
export const messageFacts = {
  endpoint: 'orders',
  messageId: 'm1',
  messageType: 'Placed',
  conversationId: 'm1',
} as const;
export const sagaFacts = { ...messageFacts, sagaName: 'Order', sagaId: '7' } as const;
