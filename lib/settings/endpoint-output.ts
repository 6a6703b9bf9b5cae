/**
 * What an output of a stack tells of one of its endpoints, as JSON: written by the constructs, read by
 * `sagabox redrive` and `sagabox relay`.
 */
export interface EndpointOutput {
  /** The endpoint's name. No other output has this key: it tells what the output is. */
  readonly sagaboxEndpoint: string;
  /** Undefined for an endpoint that only sends. */
  readonly queueUrl?: string;
  readonly errorQueueUrl?: string;
  readonly deadLetterQueueUrl?: string;
  readonly undeliveredQueueUrl?: string;
  /** The variables of sagabox that the endpoint's function has. */
  readonly environment: Readonly<Record<string, string>>;
}
