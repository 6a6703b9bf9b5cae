import { Token } from 'aws-cdk-lib';
import type { Refusal } from '../../kernel/checks/problems.ts';

/** The physical names of an endpoint's queues; undefined where CloudFormation makes one up. */
interface QueueNames {
  readonly queue?: string;
  readonly deadLetterQueue?: string;
  readonly errorQueue?: string;
}

const FIFO_SUFFIX = '.fifo';
const deadLetterSuffix = '-dead-letters';
const errorSuffix = '-errors';
/** Source: "Amazon SQS queue parameters" (queue name, with the suffix of FIFO queues). */
const MAX_NAME_LENGTH = 80;

/** @param queueName with or without the suffix of FIFO queues; a token is taken to be without */
export function queueNames(queueName: string | undefined, fifo: boolean): QueueNames {
  if (queueName === undefined) return {};
  const kind = fifo ? FIFO_SUFFIX : '';
  const base = baseOf(queueName, fifo);
  return {
    queue: `${base}${kind}`,
    deadLetterQueue: `${base}${deadLetterSuffix}${kind}`,
    errorQueue: `${base}${errorSuffix}${kind}`,
  };
}

export function queueNameProblem(queueName: string | undefined, fifo: boolean): Refusal | undefined {
  if (queueName === undefined || Token.isUnresolved(queueName)) return undefined;
  if (!fifo && queueName.endsWith(FIFO_SUFFIX)) {
    return {
      problem: `'${queueName}' ends in '${FIFO_SUFFIX}', and the endpoint is not FIFO`,
      remedy: 'Leave the ending out, or make the endpoint FIFO',
    };
  }
  const base = baseOf(queueName, fifo);
  if (!/^[A-Za-z0-9_-]+$/.test(base)) {
    return {
      problem: `'${queueName}' is no name of a queue`,
      remedy: 'Use letters, digits, hyphens and underscores',
    };
  }
  const most = MAX_NAME_LENGTH - deadLetterSuffix.length - (fifo ? FIFO_SUFFIX.length : 0);
  if (base.length <= most) return undefined;
  return {
    problem: `with '${deadLetterSuffix}', '${queueName}' is longer than the ${MAX_NAME_LENGTH} characters of SQS`,
    remedy: `Use at most ${most} characters${fifo ? `, not counting '${FIFO_SUFFIX}'` : ''}`,
  };
}

function baseOf(queueName: string, fifo: boolean): string {
  return fifo && queueName.endsWith(FIFO_SUFFIX) ? queueName.slice(0, -FIFO_SUFFIX.length) : queueName;
}
