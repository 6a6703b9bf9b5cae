import type { OutboxSessionOptions, SessionContracts } from '../../compose/session/session-options.ts';
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

/** The options of `outboxSession` that a session in memory has. */
export interface SessionRules extends Partial<Pick<OutboxSessionOptions, Rules>> {}

/** Options of `testSession`: those of a session in memory, and its surroundings. */
export type SessionTestOptions = SessionRules & SessionContracts & Surroundings;

export const crashPoints = ['beforeCommit', 'afterCommit', 'afterDispatch'] as const;

/** Where a function process is killed. */
export type CrashPoint = (typeof crashPoints)[number];
