import type { DeployedQueues, RedriveOptions } from './options.ts';
import type { StoredFailure } from './stored-failure.ts';

/**
 * The queue that a message goes back to, by its URL or its ARN. Nothing that its sender can write decides it: the
 * run would send there with the rights of whoever runs it.
 *
 * @throws Error with the remedy when nothing but the message itself tells
 */
export function wayBack(
  { movedFrom, forwardedFrom }: Pick<StoredFailure, 'movedFrom' | 'forwardedFrom'>,
  { from, to, deployed }: Pick<RedriveOptions, 'from' | 'to' | 'deployed'>,
): string {
  const queue = to ?? movedFrom ?? queueOf(deployed, forwardedFrom);
  if (queue === undefined) throw new Error(problemOf(deployed, forwardedFrom));
  if (to === undefined && isSameQueue(queue, from)) {
    throw new Error('it came from this very queue: pass --to');
  }
  return queue;
}

/** An address of the stack, also where the header tells which one. */
function queueOf(
  deployed: DeployedQueues | undefined,
  forwardedFrom: string | undefined,
): string | undefined {
  if (deployed?.kind === 'undelivered') return deployed.queueUrl;
  if (forwardedFrom === undefined) return undefined;
  return deployed?.queueUrls.find((queueUrl) => isSameQueue(queueUrl, forwardedFrom));
}

function problemOf(deployed: DeployedQueues | undefined, forwardedFrom: string | undefined): string {
  if (forwardedFrom === undefined) return 'nothing tells where it came from: pass --to';
  return deployed?.kind === 'forwarded'
    ? `its failure header names '${forwardedFrom}', which is the queue of no endpoint of the stack ` +
        `'${deployed.stack}': name the stack of its endpoint, or pass --to`
    : `its failure header names '${forwardedFrom}', which a sender may have written: name its endpoint with ` +
        '--stack and --endpoint, or pass --to';
}

/** By account and name, the end of a URL as of an ARN: hosts differ, and what is compared is in one region. */
function isSameQueue(one: string, other: string): boolean {
  const end = (address: string): string => address.split(/[/:]/).slice(-2).join('/');
  return end(one) === end(other);
}
