import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { beforeAbort } from '../../core/async/before-abort.ts';
import { mapConcurrently } from '../../core/async/map-concurrently.ts';
import { settleAll } from '../../core/async/settle.ts';
import {
  type ClaimCheck,
  type ClaimCheckStorage,
  claimCheckNotFound,
  claimCheckOf,
  isClaimCheckKey,
  readClaimCheck,
} from '../../core/claim-check/claim-check.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import type { Destinations } from '../../core/outgoing/destination.ts';
import type { ClaimChecks } from '../../ports.ts';
import type { SdkClient } from '../shared/sdk-client.ts';
import { loadS3Sdk } from './sdk.ts';
import { loadFailure, storeFailure } from './service-errors.ts';

/** Each holds a body in memory, twice. */
const UPLOAD_CONCURRENCY = 5;

export interface S3ClaimChecksOptions {
  bucketName: string;
  /** The endpoint that sends. */
  endpoint: string;
  /** Larger bodies, as JSON, are stored in the bucket. */
  thresholdBytes: number;
  /** What is too large for its destination is kept too. */
  destinations: Destinations;
  /** Called when there is something to keep or to fetch. */
  loadClient: () => Promise<SdkClient>;
}

/** Keeps large bodies in an S3 bucket; its lifecycle rule removes them. */
export class S3ClaimChecks implements ClaimChecks {
  readonly #storage: ClaimCheckStorage;
  readonly #loadClient: () => Promise<SdkClient>;

  constructor({ loadClient, ...storage }: S3ClaimChecksOptions) {
    this.#storage = storage;
    this.#loadClient = loadClient;
  }

  async store(
    operations: readonly OutgoingOperation[],
    signal?: AbortSignal,
  ): Promise<readonly OutgoingOperation[]> {
    const claimChecks = operations.map((operation) => claimCheckOf(operation, this.#storage));
    await this.#upload(
      claimChecks.filter((claim) => claim !== undefined),
      signal,
    );
    return operations.map((operation, index) => claimChecks[index]?.reference ?? operation);
  }

  async load(message: IncomingMessage, signal?: AbortSignal): Promise<IncomingMessage> {
    const key = message.headers[headerNames.claimCheck];
    if (key === undefined) return message;
    if (!isClaimCheckKey(key)) {
      throw claimCheckNotFound(message.id, key, 'sagabox makes no such keys');
    }
    const bytes = await this.#fetch(key, message.id, signal);
    return { ...message, body: readClaimCheck(bytes, key, message.id) };
  }

  async #fetch(key: string, messageId: string, signal?: AbortSignal): Promise<Uint8Array> {
    const [client, { GetObjectCommand }] = await settleAll([this.#loadClient(), loadS3Sdk()]);
    let bytes: Uint8Array;
    try {
      // One byte more than a body may have tells that there is more.
      const range = `bytes=0-${limits.claimCheckBytes}`;
      const command = new GetObjectCommand({ Bucket: this.#storage.bucketName, Key: key, Range: range });
      const { Body: body } = (await call(client, command, signal)) as GetObjectCommandOutput;
      bytes = (await beforeAbort(body?.transformToByteArray(), signal)) ?? new Uint8Array();
    } catch (error) {
      throw loadFailure(error, messageId, key);
    }
    if (bytes.byteLength > limits.claimCheckBytes) {
      throw claimCheckNotFound(
        messageId,
        key,
        `it is over the ${limits.claimCheckBytes} bytes of a claim check`,
      );
    }
    return bytes;
  }

  async #upload(claimChecks: readonly ClaimCheck[], signal?: AbortSignal): Promise<void> {
    if (claimChecks.length === 0) return;
    const [client, { PutObjectCommand }] = await settleAll([this.#loadClient(), loadS3Sdk()]);
    const put = async ({ key, json }: ClaimCheck) =>
      await call(
        client,
        new PutObjectCommand({
          Bucket: this.#storage.bucketName,
          Key: key,
          Body: json,
          ContentType: 'application/json',
        }),
        signal,
      );
    try {
      await mapConcurrently(claimChecks, UPLOAD_CONCURRENCY, put);
    } catch (error) {
      throw storeFailure(error, this.#storage.bucketName);
    }
  }
}

/** The signal cuts off the request itself; what hangs before or behind it is waited for no longer. */
async function call(client: SdkClient, command: object, signal: AbortSignal | undefined): Promise<unknown> {
  return await beforeAbort(client.send(command, signal && { abortSignal: signal }), signal);
}
