import type { OutboxSessionOptions, SessionContracts } from '../../middleware/session/session-options.ts';
import type { TestOptions } from '../test-options.ts';

/** What a test can say of its surroundings, as for `testHandlers`. */
type Surroundings = Pick<
  TestOptions,
  'endpoint' | 'tables' | 'destinations' | 'publishTo' | 'logger' | 'now' | 'context'
>;

type Rules =
  | 'operation'
  | 'idempotencyKey'
  | 'requireIdempotencyKey'
  | 'exclusive'
  | 'commitsStatus'
  | 'caller'
  | 'scope'
  | 'messageFormat'
  | 'claimCheck'
  | 'validateOutgoing';

/** Options of `testSession`: those of `outboxSession` that a session in memory has, and its surroundings. */
export type SessionTestOptions = Partial<Pick<OutboxSessionOptions, Rules>> & SessionContracts & Surroundings;

export const crashPoints = ['beforeCommit', 'afterCommit', 'afterDispatch'] as const;

/** Where a function process is killed. */
export type CrashPoint = (typeof crashPoints)[number];
