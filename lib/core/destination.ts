import { SagaboxError } from './errors.ts';

/** Where messages can be sent: an SQS queue under a name. */
export interface Destination {
  readonly name: string;
  readonly queueUrl: string;
  readonly fifo: boolean;
}

export type Destinations = ReadonlyMap<string, Destination>;

/** @param setting where the queue URLs come from, for the error */
export function parseDestinations(queueUrls: unknown, setting: string): Destinations {
  const problem = (detail: string) =>
    new SagaboxError('Configuration', {
      setting,
      problem: detail,
      remedy: 'It maps destination names to queue URLs, as in { "billing": "https://…/billing" }',
    });
  if (typeof queueUrls !== 'object' || queueUrls === null || Array.isArray(queueUrls)) {
    throw problem('it is not an object');
  }
  const destinations = new Map<string, Destination>();
  for (const [name, queueUrl] of Object.entries(queueUrls)) {
    if (typeof queueUrl !== 'string' || !URL.canParse(queueUrl)) {
      throw problem(`the queue URL of '${name}' is ${JSON.stringify(queueUrl)}`);
    }
    destinations.set(name, { name, queueUrl, fifo: queueUrl.endsWith('.fifo') });
  }
  return destinations;
}

export function unknownDestination(name: string, known: Destinations): SagaboxError<'Configuration'> {
  const names = [...known.keys()];
  return new SagaboxError('Configuration', {
    setting: `destination '${name}'`,
    problem: `it is not configured (known: ${names.length > 0 ? names.join(', ') : 'none'})`,
    remedy: "Add it with the construct's sendsTo, in SAGABOX_DESTINATIONS, or in the option 'destinations'",
  });
}
