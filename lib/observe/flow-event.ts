import type { MessageFacts } from './logs/message-logger.ts';

export type FlowEvent = MessageFacts &
  (
    | { type: 'conflict'; operation: 'create' | 'update' | 'complete' | 'check' }
    /** The saga is locked by somebody else; the next attempt comes after the delay. */
    | { type: 'lockWait'; attempts: number; delayMs: number }
    /** A duplicate has another body than the message that was committed under its id. */
    | { type: 'bodyMismatch' }
    /** The message failed, and is tried again in this invocation after the delay. */
    | { type: 'retry'; attempts: number; delayMs: number; error: unknown }
  );
