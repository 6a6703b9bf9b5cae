import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { divideRemains, retainedResources } from './retained.ts';

const inAssembly = directoryOfTest();

describe('what the templates of an assembly retain', () => {
  it('is what says so, without the policies of others', async () => {
    const Resources = {
      Sagas: { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain' },
      Bodies: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'RetainExceptOnCreate' },
      Outbox: { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Delete' },
      Queue: { Type: 'AWS::SQS::Queue' },
      RolePolicy: { Type: 'AWS::IAM::Policy', DeletionPolicy: 'Retain' },
    };
    await writeFile(inAssembly('Store.template.json'), JSON.stringify({ Resources }));
    await writeFile(inAssembly('manifest.json'), '{}');
    expect(await retainedResources(inAssembly())).toEqual(['Store/Sagas', 'Store/Bodies']);
  });
});

describe('what is there after the stacks were destroyed', () => {
  const before = new Set(['iam Roles cdk-deploy']);
  const nothing = { retained: [], leftBehind: [], retainedGone: [] };

  it('is nothing when all is as before', () => {
    expect(divideRemains(before, before, [])).toEqual(nothing);
  });

  it('is divided into what the stacks retain and what they left behind', () => {
    const added = ['dynamodb TableNames Sagas-1', 'sqs QueueUrls Kept-1', 'sqs QueueUrls Lost-1'];
    const retainedNames = ['Sagas-1', 'https://localhost/000000000000/Kept-1'];
    expect(divideRemains(before, new Set([...before, ...added]), retainedNames)).toEqual({
      retained: ['dynamodb TableNames Sagas-1', 'sqs QueueUrls Kept-1'],
      leftBehind: ['sqs QueueUrls Lost-1'],
      retainedGone: [],
    });
  });

  it('misses what the stacks retain and is gone', () => {
    const after = new Set([...before, 'dynamodb TableNames Sagas-1']);
    expect(divideRemains(before, after, ['Sagas-1', 'Bodies-1'])).toEqual({
      retained: ['dynamodb TableNames Sagas-1'],
      leftBehind: [],
      retainedGone: ['Bodies-1'],
    });
  });

  it('may be the log group of a function, of which no stack knows', () => {
    const remains = divideRemains(before, new Set(['logs logGroups Orders']), []);
    expect(remains).toEqual({ ...nothing, retained: ['logs logGroups Orders'] });
  });
});
