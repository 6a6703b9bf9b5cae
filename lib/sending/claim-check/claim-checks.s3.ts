import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import { mapConcurrently } from '../../kernel/async/map-concurrently.ts';
import { settleAll } from '../../kernel/async/settle.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import { limits } from '../../kernel/limits.ts';
import { type ClaimCheck, type ClaimCheckStorage, claimCheckNotFound } from './claim-check.ts';
import { ClaimCheckStore } from './claim-check-store.ts';
import { loadS3Sdk } from './sdk.s3.ts';
import { loadFailure, storeFailure } from './service-errors.s3.ts';

/** Each upload holds a body in memory, twice. */
const UPLOAD_CONCURRENCY = 5;

export interface S3ClaimChecksOptions extends ClaimCheckStorage {
  /** Loads the client when there is a body to store or to fetch. */
  loadClient: () => Promise<SdkClient>;
}

/** Keeps large bodies in an S3 bucket; its lifecycle rule removes them. */
export class S3ClaimChecks extends ClaimCheckStore {
  readonly #loadClient: () => Promise<SdkClient>;

  constructor({ loadClient, ...storage }: S3ClaimChecksOptions) {
    super(storage);
    this.#loadClient = loadClient;
  }

  protected override async get(key: string, messageId: string, signal?: AbortSignal): Promise<Uint8Array> {
    const [client, { GetObjectCommand }] = await settleAll([this.#loadClient(), loadS3Sdk()]);
    let bytes: Uint8Array;
    try {
      // One byte more than a body may have shows that the object is too large.
      const range = `bytes=0-${limits.claimCheckBytes}`;
      const command = new GetObjectCommand({ Bucket: this.storage.bucketName, Key: key, Range: range });
      const { Body: body } = (await call(client, command, signal)) as GetObjectCommandOutput;
      bytes = (await beforeAbort(body?.transformToByteArray(), signal)) ?? new Uint8Array();
    } catch (error) {
      throw loadFailure(error, messageId, key);
    }
    if (bytes.byteLength > limits.claimCheckBytes) {
      const problem = `it is over the ${limits.claimCheckBytes} bytes of a claim check`;
      throw claimCheckNotFound(messageId, key, problem);
    }
    return bytes;
  }

  protected override async put(claimChecks: readonly ClaimCheck[], signal?: AbortSignal): Promise<void> {
    const [client, { PutObjectCommand }] = await settleAll([this.#loadClient(), loadS3Sdk()]);
    const { bucketName: Bucket } = this.storage;
    const put = async ({ key: Key, json: Body }: ClaimCheck) =>
      await call(
        client,
        new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }),
        signal,
      );
    try {
      await mapConcurrently(claimChecks, UPLOAD_CONCURRENCY, put);
    } catch (error) {
      throw storeFailure(error, Bucket);
    }
  }
}

/** Sends a command. The signal ends the request itself, and the wait for what hangs before or after it. */
async function call(client: SdkClient, command: object, signal: AbortSignal | undefined): Promise<unknown> {
  return await beforeAbort(client.send(command, signal && { abortSignal: signal }), signal);
}
