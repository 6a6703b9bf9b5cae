/** The account and region that a function runs in, to which short addresses belong. */
export interface ServiceLocation {
  readonly accountId: string;
  readonly region: string;
  /** The SQS endpoint of an emulator. @default - the endpoint of SQS in the region */
  readonly sqsEndpoint?: string | undefined;
}

interface Partition {
  readonly name: string;
  readonly urlSuffix: string;
}

const commercial: Partition = { name: 'aws', urlSuffix: 'amazonaws.com' };

/** Partitions by the beginning of a region's name. Source: the partitions of the AWS SDK's endpoint rules. */
const partitions: Readonly<Record<string, Partition>> = {
  'cn-': { name: 'aws-cn', urlSuffix: 'amazonaws.com.cn' },
  'eusc-': { name: 'aws-eusc', urlSuffix: 'amazonaws.eu' },
  'us-gov-': { name: 'aws-us-gov', urlSuffix: 'amazonaws.com' },
  'us-iso-': { name: 'aws-iso', urlSuffix: 'c2s.ic.gov' },
  'us-isob-': { name: 'aws-iso-b', urlSuffix: 'sc2s.sgov.gov' },
  'eu-isoe-': { name: 'aws-iso-e', urlSuffix: 'cloud.adc-e.uk' },
  'us-isof-': { name: 'aws-iso-f', urlSuffix: 'csp.hci.ic.gov' },
};

function partitionOf(region: string): Partition {
  const [, partition = commercial] =
    Object.entries(partitions).find(([prefix]) => region.startsWith(prefix)) ?? [];
  return partition;
}

/** @param name the name of a queue, for a FIFO queue with its `.fifo` */
export function queueUrlIn({ accountId, region, sqsEndpoint }: ServiceLocation, name: string): string {
  const endpoint = sqsEndpoint ?? `https://sqs.${region}.${partitionOf(region).urlSuffix}`;
  return `${endpoint.replace(/(?<!\/)\/+$/, '')}/${accountId}/${name}`;
}

/** @param resource the resource as it stands in an ARN, such as 'event-bus/orders' */
export function arnIn({ accountId, region }: ServiceLocation, service: string, resource: string): string {
  const { name } = partitionOf(region);
  return `arn:${name}:${service}:${service === 'iam' ? '' : region}:${accountId}:${resource}`;
}

/** Source: "Amazon SQS queue quotas". */
const queueName = /^[\w-]{1,80}(?:\.fifo)?$/;

export function isQueueName(address: string): boolean {
  return queueName.test(address);
}

/**
 * Returns the URL or ARN that a short address stands for: `name` for a queue, `sns:name` for a topic,
 * `events:name` for an event bus, all of the function's own account and region. Any other address is left as
 * it is.
 *
 * @returns `undefined` for a short address without a location
 */
export function longAddress(address: string, location: ServiceLocation | undefined): string | undefined {
  const [, service = '', name = ''] = /^(sns|events):([\w./-]+)$/.exec(address) ?? [];
  if (service === '' && !isQueueName(address)) return address;
  if (location === undefined) return undefined;
  if (service === 'sns') return arnIn(location, service, name);
  if (service === 'events') return arnIn(location, service, `event-bus/${name}`);
  return queueUrlIn(location, address);
}
