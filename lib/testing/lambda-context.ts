import type { Context as LambdaContext } from 'aws-lambda';
import { testDefaults } from './test-defaults.ts';

/** What Lambda tells a function about its invocation. */
export function lambdaContext(): LambdaContext {
  const { endpoint, region, accountId, remainingTimeMs } = testDefaults;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: endpoint,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${region}:${accountId}:function:${endpoint}`,
    memoryLimitInMB: '128',
    awsRequestId: '00000000-0000-4000-8000-000000000000',
    logGroupName: `/aws/lambda/${endpoint}`,
    logStreamName: '2026/01/01/[$LATEST]0',
    getRemainingTimeInMillis: () => remainingTimeMs,
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
