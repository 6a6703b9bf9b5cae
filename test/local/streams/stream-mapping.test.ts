import { describe, expect, it } from '@jest/globals';
import type { LocalResource } from '../../../lib/local/app/resources/model.ts';
import { streamMappings, streamSettingsNotPlayed } from '../../../lib/local/streams/stream-mapping.ts';

const streamArn = 'arn:aws:dynamodb:ddblocal:000000000000:table/Orders/stream/2026-01-01T00:00:00.000';

function mapping(properties: object): LocalResource {
  return {
    type: 'AWS::Lambda::EventSourceMapping',
    logicalId: 'Watch',
    name: 'App-Watch',
    properties: { EventSourceArn: streamArn, FunctionName: 'App-Watcher', ...properties },
    stack: { name: 'App', template: {}, nestedTemplates: [], assetPaths: new Map() },
  };
}

const filters = (...patterns: unknown[]) => ({
  FilterCriteria: { Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) },
});

function record(partition: string, eventName = 'INSERT'): object {
  return { eventName, dynamodb: { Keys: { PK: { S: partition }, SK: { S: 'RECORD' } } } };
}

describe('the mapping of a stream', () => {
  it('is read with the defaults of Lambda', () => {
    expect(streamMappings([mapping({ StartingPosition: 'LATEST' })])).toEqual([
      {
        name: 'App-Watch',
        functionName: 'App-Watcher',
        streamArn,
        startingPosition: 'LATEST',
        batchSize: 100,
        batchingWindowMs: 0,
        reportsBatchItemFailures: false,
        matches: expect.any(Function),
      },
    ]);
  });

  it('is read with what it declares', () => {
    const declared = mapping({
      FunctionName: 'arn:aws:lambda:us-east-1:000000000000:function:App-Watcher:live',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 300,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      StartingPosition: 'TRIM_HORIZON',
    });
    expect(streamMappings([declared])).toEqual([
      expect.objectContaining({
        functionName: 'App-Watcher',
        startingPosition: 'TRIM_HORIZON',
        batchSize: 1_000,
        batchingWindowMs: 300_000,
        reportsBatchItemFailures: true,
      }),
    ]);
  });

  it('is none of a queue', () => {
    const EventSourceArn = 'arn:aws:sqs:us-east-1:000000000000:App-Queue';
    expect(streamMappings([mapping({ EventSourceArn })])).toEqual([]);
    expect(streamSettingsNotPlayed(mapping({ EventSourceArn, MaximumRetryAttempts: 1 }))).toEqual([]);
  });

  it.each([
    ['no filter', {}, [true, true, true]],
    ['no filter in its list', filters(), [true, true, true]],
    [
      'a filter on keys',
      filters({ dynamodb: { Keys: { PK: { S: [{ prefix: 'OUTBOX#' }] } } } }),
      [true, false, true],
    ],
    [
      'two filters',
      filters(
        { dynamodb: { Keys: { PK: { S: [{ prefix: 'OUTBOX#' }] } } }, eventName: ['INSERT'] },
        { dynamodb: { Keys: { PK: { S: [{ prefix: 'SAGA#' }] } } } },
      ),
      [true, true, false],
    ],
  ])('with %s hands over what one of them matches', (_which, properties, expected) => {
    const [read] = streamMappings([mapping(properties)]);
    const records = [record('OUTBOX#1'), record('SAGA#1'), record('OUTBOX#1', 'REMOVE')];
    expect(records.map((one) => read?.matches(one))).toEqual(expected);
  });

  it.each([
    ['{"dynamodb":', 'JSON'],
    ['{"eventName":[{"cidr":"10.0.0.0/24"}]}', 'cidr'],
    ['{}', 'not a non-empty object'],
  ])('cannot have the filter %s', (Pattern, reason) => {
    expect(() => streamMappings([mapping({ FilterCriteria: { Filters: [{ Pattern }] } })])).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: expect.stringMatching(new RegExp(`^Watch: its filter .*${reason}`)),
      }),
    );
  });

  it('tells what it asks for and is not played, and nothing of what asks for nothing', () => {
    const neutral = {
      BisectBatchOnFunctionError: false,
      MaximumRecordAgeInSeconds: -1,
      MaximumRetryAttempts: -1,
      ParallelizationFactor: 1,
      TumblingWindowInSeconds: 0,
    };
    expect(streamSettingsNotPlayed(mapping(neutral))).toEqual([]);
    const asking = {
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:Q' } },
      MaximumRecordAgeInSeconds: 3_600,
      MaximumRetryAttempts: 0,
      ParallelizationFactor: 2,
      TumblingWindowInSeconds: 30,
    };
    expect(streamSettingsNotPlayed(mapping(asking))).toEqual(Object.keys(asking));
  });
});
