import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { startDynamoDBLocal, startSqsEmulator } from 'sagabox/local';
import { type Case, type ContenderName, type CostFigures, cases } from './figures.ts';
import { itemized } from './itemized.ts';
import { type Measurement, measure } from './measure.ts';
import type { Clients } from './resources.ts';
import type { Sample } from './run.ts';
import { sagabox } from './sagabox.ts';

export type Comparison = Readonly<Record<ContenderName, Measurement>>;
export type OnProgress = (contender: ContenderName, next: Case) => void;

const identity = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Both contenders on the same engines, with orders from the same seed. */
export async function compare(
  clients: Clients,
  sample: Sample,
  signal: AbortSignal,
  onProgress: OnProgress = () => {},
): Promise<Comparison> {
  const of = (type: typeof sagabox) =>
    measure(type, clients, sample, signal, (next) => onProgress(type.name, next));
  return { sagabox: await of(sagabox), itemized: await of(itemized) };
}

/** {@link compare}, on engines that are started for it. */
export async function compareOnEngines(
  sample: Sample,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Comparison> {
  const starts = await Promise.allSettled([startDynamoDBLocal(), startSqsEmulator()]);
  try {
    const [dynamoDB, sqs] = starts;
    if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
    if (sqs.status === 'rejected') throw sqs.reason;
    signal.throwIfAborted();
    const dynamoDBClient = new DynamoDBClient({ ...identity, endpoint: dynamoDB.value.endpoint });
    const sqsClient = new SQSClient({ ...identity, endpoint: sqs.value.endpoint });
    try {
      return await compare({ dynamoDBClient, sqsClient }, sample, signal, onProgress);
    } finally {
      dynamoDBClient.destroy();
      sqsClient.destroy();
    }
  } finally {
    for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
  }
}

export function costFigures({ sagabox: own, itemized: peer }: Comparison): CostFigures {
  const entries = cases.map((name) => {
    return [name, { sagabox: own.cases[name].figures, itemized: peer.cases[name].figures }] as const;
  });
  return Object.fromEntries(entries) as CostFigures;
}
