import { GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Finds the URLs of queues by their ARNs, and keeps each that SQS answered. */
export class SourceQueues {
  readonly #client: SQSClient;
  readonly #urls = new Map<string, Promise<string>>();

  constructor(client: SQSClient) {
    this.#client = client;
  }

  async urlOf(address: string): Promise<string> {
    if (!address.startsWith('arn:')) return address;
    const known = this.#urls.get(address) ?? this.#ask(address);
    this.#urls.set(address, known);
    try {
      return await known;
    } catch (error) {
      this.#urls.delete(address);
      throw error;
    }
  }

  async #ask(arn: string): Promise<string> {
    const [account, name] = arn.split(':').slice(-2);
    const { QueueUrl } = await this.#client.send(
      new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account }),
    );
    if (QueueUrl === undefined) throw new Error(`SQS knows no URL of '${arn}'`);
    return QueueUrl;
  }
}
