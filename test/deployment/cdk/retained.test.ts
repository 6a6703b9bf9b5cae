import { describe, expect, it } from '@jest/globals';
import { divideRemains } from './retained.ts';

describe('what is there after the stacks were destroyed', () => {
  const before = new Set(['iam Roles cdk-deploy']);

  it('is nothing when all is as before', () => {
    expect(divideRemains(before, before, [])).toEqual({ retained: [], leftBehind: [] });
  });

  it('is divided into what the stacks retain and what they left behind', () => {
    const added = ['dynamodb TableNames Sagas-1', 'sqs QueueUrls Kept-1', 'sqs QueueUrls Lost-1'];
    const retainedNames = ['Sagas-1', 'https://localhost/000000000000/Kept-1'];
    expect(divideRemains(before, new Set([...before, ...added]), retainedNames)).toEqual({
      retained: ['dynamodb TableNames Sagas-1', 'sqs QueueUrls Kept-1'],
      leftBehind: ['sqs QueueUrls Lost-1'],
    });
  });

  it('may be the log group of a function, of which no stack knows', () => {
    const remains = divideRemains(before, new Set(['logs logGroups Orders']), []);
    expect(remains).toEqual({ retained: ['logs logGroups Orders'], leftBehind: [] });
  });
});
