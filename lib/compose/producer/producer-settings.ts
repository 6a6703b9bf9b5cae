import { assertKeyName } from '../../dynamodb/keys.ts';
import { anyValue, assertOptionKinds, type Check, checkOf } from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import { type Destination, parseDestinations } from '../../messages/destinations/destination.ts';
import type { Remedies } from '../../sending/remedies.ts';
import type { Sending } from '../../sending/sending.ts';
import { endpointSetting } from '../../settings/endpoint.ts';
import { optionOrVariable, settingOf } from '../../settings/setting.ts';
import { optionChecks, takerOf } from '../assert-options.ts';
import { sendingOf } from '../sending-settings.ts';
import type { ProducerOptions } from './producer-options.ts';

export interface ProducerSettings {
  /** @throws SagaboxError `Configuration` when the address is missing or wrong */
  readonly destination: () => Destination;
  /** The endpoint that replies go to, and the source of events; `undefined` if there is none. */
  readonly endpoint: string | undefined;
  readonly sending: Sending;
}

const addresses = { queueUrl: 'queue', topicArn: 'topic', eventBus: 'eventBus' } as const;

const examples = {
  queueUrl: "a queue's URL",
  topicArn: "a topic's ARN",
  eventBus: 'the name or ARN of an event bus',
} as const;

/** The source of events from a producer without an endpoint. */
const EVENTS_ENDPOINT = 'producer';

/** The remedies of a producer, which has no scheduler and no claim check. */
const remedies: Remedies = {
  delay:
    'a producer has no scheduler: send it when it is due, or from a handler or session whose endpoint has a scheduler',
  size: 'store the data and send a reference to it',
  knownSize: "give 'maxMessageSizeBytes' if its queue or topic takes more",
};

/** @throws SagaboxError `Configuration` for options that cannot be used */
export function producerSettings(options: ProducerOptions): ProducerSettings {
  assertOptionKinds('createProducer', options, checks, { takerOf });
  const [option, ...others] = (Object.keys(addresses) as (keyof typeof addresses)[]).filter(
    (name) => name in options,
  );
  if (option === undefined || others.length > 0) {
    const problem =
      option === undefined ? 'it is given no address' : `it is given ${[option, ...others].join(' and ')}`;
    throw configurationError('createProducer', problem, `Give one of ${Object.keys(addresses).join(', ')}`);
  }
  const { maxMessageSizeBytes, messageFormat, validateOutgoing, contract } = options;
  const address = options[option];
  const destination = () => parse(option, address, contract?.name, maxMessageSizeBytes);
  if (address !== undefined) destination();
  const given = settingOf(endpointSetting, options.endpoint, process.env);
  const endpoint = option === 'eventBus' ? (given ?? EVENTS_ENDPOINT) : given;
  if (endpoint !== undefined) assertKeyName(optionOrVariable(endpointSetting), endpoint);
  const sendingOptions = {
    destinations: {},
    ...(messageFormat !== undefined && { messageFormat }),
    ...(validateOutgoing !== undefined && { validateOutgoing }),
  };
  return { destination, endpoint, sending: { ...sendingOf(sendingOptions, {}), remedies } };
}

const { endpoint, eventBridgeClient, messageFormat, snsClient, sqsClient, tracing, validateOutgoing } =
  optionChecks;

const checks = {
  queueUrl: anyValue,
  topicArn: anyValue,
  eventBus: anyValue,
  contract: checkOf(
    (value) => (Object(value).kind === 'contract' ? undefined : 'it is not what defineContract returns'),
    'Give it what defineContract returned',
  ),
  endpoint,
  eventBridgeClient,
  maxMessageSizeBytes: anyValue,
  messageFormat,
  snsClient,
  sqsClient,
  tracing,
  validateOutgoing,
} satisfies Record<keyof Required<ProducerOptions>, Check>;

function parse(
  option: keyof typeof addresses,
  address: string | undefined,
  contractName: string | undefined,
  maxMessageSizeBytes: number | undefined,
): Destination {
  if (typeof address !== 'string' || address === '')
    throw configurationError(option, `it is ${describeValue(address)}`, `Give ${examples[option]}`);
  const name = contractName ?? address;
  if (option === 'eventBus' && maxMessageSizeBytes !== undefined) {
    const problem = 'an event bus has one maximum size for all';
    throw configurationError('maxMessageSizeBytes', problem, 'Leave it out, or give a queue or a topic');
  }
  if (option === 'eventBus' && !address.startsWith('arn:'))
    return { kind: 'eventBus', name, eventBusArn: address };
  const sized = maxMessageSizeBytes === undefined ? address : { address, maxMessageSizeBytes };
  const destination = parseDestinations({ [name]: sized }, `createProducer: ${option}`).get(name);
  if (destination?.kind === addresses[option]) return destination;
  throw configurationError(option, `it is ${describeValue(address)}`, `Give ${examples[option]}`);
}
