/** A service that an engine or an emulator plays; Lambda is played by the app itself. */
export type EngineService = 'dynamodb' | 'sqs' | 'sns' | 's3' | 'eventbridge' | 'scheduler';

/** A call that a function instance makes to an engine, or to Lambda. */
export interface ProxiedCall {
  readonly instanceId: string;
  readonly functionName: string;
  readonly service: EngineService | 'lambda';
  /** For example `TransactWriteItems`, `SendMessageBatch`, `PutObject` or `CreateSchedule`. */
  readonly operation: string;
  /**
   * The request in the JSON of the wire: binary values are base64 strings. Of SNS it has the fields of the
   * form (`TopicArn`, `Message`, …), of S3 `Bucket` and `Key`, of the scheduler also `Name`, of Lambda
   * `FunctionName` or `UUID`.
   */
  readonly request: Readonly<Record<string, unknown>>;
}

export interface CallAnswer {
  readonly status: number;
  /** Empty when the service does not answer in JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}
