/** A call that a function instance makes to an engine. */
export interface ProxiedCall {
  readonly instanceId: string;
  readonly functionName: string;
  readonly service: 'dynamodb' | 'sqs';
  /** For example `TransactWriteItems` or `SendMessageBatch`. */
  readonly operation: string;
  /** The request in the JSON of the wire: binary values are base64 texts. */
  readonly request: Readonly<Record<string, unknown>>;
}

export interface CallAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
