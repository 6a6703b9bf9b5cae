import { configureFlow } from '../configure-flow.ts';
import { loadSettings } from '../load-settings.ts';
import { type OpenSession, sessionOpener } from './open-session.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/** Sessions on AWS. @throws SagaboxError `Configuration` */
export function awsSessionOpener(of: string, options: OutboxSessionOptions): OpenSession {
  return sessionOpener(of, options, {
    makeFlow: () => configureFlow(options),
    loadSettings: (remainingMs) => loadSettings(process.env, remainingMs),
  });
}
