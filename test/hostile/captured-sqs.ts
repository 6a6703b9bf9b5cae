import { SQSClient } from '@aws-sdk/client-sqs';

/** A message as it would have been sent, as JSON on the wire. */
interface CapturedSend {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly MessageAttributes?: Readonly<
    Record<string, { readonly StringValue?: string; readonly DataType?: string }>
  >;
}

/** One message of those that were sent in one call. */
export type CapturedEntry = Omit<CapturedSend, 'QueueUrl'> & {
  readonly Id: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
};

interface CapturedVisibility {
  readonly Entries: readonly { readonly VisibilityTimeout?: unknown; readonly ReceiptHandle?: unknown }[];
}

/**
 * A real client up to the wire: its requests are serialized, kept, and answered at once. For volume that no
 * engine takes.
 */
export function capturedSqs() {
  const sends: CapturedSend[] = [];
  const visibilities: CapturedVisibility[] = [];
  const batched: CapturedEntry[] = [];
  const client = new SQSClient({
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    md5: false,
    maxAttempts: 1,
  });
  client.middlewareStack.add(
    (_next, { commandName = '' }) =>
      async (args) => {
        const { body } = args.request as { body: Uint8Array };
        const input: unknown = JSON.parse(new TextDecoder().decode(body));
        if (commandName === 'SendMessageCommand') sends.push(input as CapturedSend);
        else if (commandName === 'ChangeMessageVisibilityBatchCommand')
          visibilities.push(input as CapturedVisibility);
        else batched.push(...(input as { Entries: CapturedEntry[] }).Entries);
        const { Entries = [] } = input as { Entries?: CapturedEntry[] };
        return { response: {}, output: { $metadata: {}, Failed: [], Successful: Entries } };
      },
    { step: 'build', priority: 'low', name: 'captured' },
  );
  return { client, sends, visibilities, batched };
}
