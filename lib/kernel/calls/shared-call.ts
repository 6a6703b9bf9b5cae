/**
 * The most items of a read or a transaction that messages share: those of ten messages with a saga, though
 * the service takes 100. A message waits for ten and not for all, so that some messages are handled while
 * others are read or committed, and a refused transaction repeats less.
 */
export const SHARED_CALL_ITEMS = 20;
