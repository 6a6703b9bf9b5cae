import type { DynamoDBRecord } from 'aws-lambda';
import { localIdentity } from '../app/identity.ts';

/** A record of a stream in the JSON of the wire: binary values are base64 strings, as they are for a handler. */
export interface WireRecord extends Pick<DynamoDBRecord, 'eventID' | 'eventName' | 'eventVersion'> {
  readonly dynamodb: NonNullable<DynamoDBRecord['dynamodb']> & { readonly SequenceNumber: string };
  /** Of what DynamoDB itself did, such as an expiry. */
  readonly userIdentity?: { readonly PrincipalId?: string; readonly Type?: string };
}

/** A record in the shape that a Lambda handler gets it. */
export type StreamEventRecord = Omit<DynamoDBRecord, 'dynamodb'> & Pick<WireRecord, 'dynamodb'>;

/** Source: "Using AWS Lambda with Amazon DynamoDB", example event; "Identity", DynamoDB API Reference. */
export function streamEventRecord(record: WireRecord, streamArn: string): StreamEventRecord {
  const { eventID, eventName, eventVersion, dynamodb, userIdentity } = record;
  return {
    eventID,
    eventName,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: localIdentity.region,
    dynamodb,
    eventSourceARN: streamArn,
    ...(userIdentity && {
      userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
    }),
  };
}
