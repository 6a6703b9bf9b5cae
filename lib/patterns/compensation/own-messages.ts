import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isJsonObject } from '../../kernel/values/value-kind.ts';

/** The body of a message that a process sends to itself. */
export interface OwnBody {
  /** The correlation value of the process. */
  readonly process: string;
  readonly step: string;
  /** At its compensation, counted from 1; 0 for its command. */
  readonly attempt: number;
}

export interface OwnTypes {
  /** A step, or its compensation, got no reply in time. */
  readonly timedOut: string;
  /** A compensation failed: its handler throws, so that it waits in the error queue. Redriven, it resumes. */
  readonly compensationFailed: string;
  /** The process is at its end: what the definition does there is done with this message. */
  readonly ended: string;
}

/** With the name of the saga: an endpoint may have several, and no two of them share a message type. */
export function ownTypes(sagaName: string): OwnTypes {
  return {
    timedOut: `${sagaName}StepTimedOut`,
    compensationFailed: `${sagaName}CompensationFailed`,
    ended: `${sagaName}Ended`,
  };
}

/** Of the messages that a process sends to itself. */
export const ownSchema: StandardSchemaV1<OwnBody, OwnBody> = {
  '~standard': {
    version: 1,
    vendor: 'sagabox',
    validate: (value) =>
      isOwnBody(value) ? { value } : { issues: [{ message: 'no message of a process to itself' }] },
  },
};

function isOwnBody(value: unknown): value is OwnBody {
  if (!isJsonObject(value)) return false;
  const { process, step, attempt } = value as Partial<Record<keyof OwnBody, unknown>>;
  return typeof process === 'string' && typeof step === 'string' && Number.isSafeInteger(attempt);
}
