import type { Flow } from '../../attempt/attempt.ts';
import { operationSetting } from '../../settings/endpoint.ts';
import { decoded } from '../../settings/setting.ts';
import { configureFlow } from '../configure-flow.ts';
import { loadedEnvironment, loadSettings } from '../load-settings.ts';
import { awsRequestLeases } from './aws-request-leases.ts';
import { type OpenSession, type SessionParts, sessionOpener } from './open-session.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/** Makes the opener of sessions on AWS. @throws SagaboxError `Configuration` */
export function awsSessionOpener(
  of: string,
  options: OutboxSessionOptions,
  parts: Pick<SessionParts, 'onRequest'> = {},
): OpenSession {
  return sessionOpener(of, options, {
    ...parts,
    makeFlow: () => flowOf(options),
    loadSettings: (remainingMs) => loadSettings(process.env, remainingMs),
    // The constructs give a name that a replacement of this function has, too.
    functionNameOf: ({ functionName }) =>
      decoded(operationSetting, process.env) ?? functionName ?? process.env.AWS_LAMBDA_FUNCTION_NAME,
  });
}

function flowOf(options: OutboxSessionOptions): Flow {
  const environment = loadedEnvironment();
  const flow = configureFlow(options, environment);
  if (options.ports) return flow;
  const requestLeases = awsRequestLeases(options, environment);
  return { ...flow, ports: { ...flow.ports, requestLeases } };
}
