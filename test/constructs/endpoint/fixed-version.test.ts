import { describe, expect, it } from '@jest/globals';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Alias, type Function as LambdaFunction, Version } from 'aws-cdk-lib/aws-lambda';
import { inlineFunction, ordersEndpoint } from '../support.ts';

const fixed = (own: LambdaFunction) => new Version(own.stack, 'Fixed', { lambda: own as never });

describe('a version that handles the messages of an endpoint', () => {
  it.each<[string, (own: LambdaFunction) => unknown, number]>([
    ['a version that is published once', fixed, 1],
    [
      'an alias of it',
      (own) => new Alias(own.stack, 'Of', { aliasName: 'live', version: fixed(own) as never }),
      1,
    ],
    ['the current version', (own) => own.currentVersion, 0],
    [
      'an alias of the current version',
      (own) => new Alias(own.stack, 'Of', { aliasName: 'live', version: own.currentVersion as never }),
      0,
    ],
    ['the function', (own) => own, 0],
  ])('never gets a later environment, when it is a fixed one: %s', (_, make, warnings) => {
    const { stack } = ordersEndpoint((scope) => ({
      function: make(inlineFunction(scope, 'Live')) as never,
    }));
    const found = Annotations.fromStack(stack).findWarning(
      '/Test/Orders',
      Match.stringLikeRegexp("'Test/Fixed' is not the currentVersion of 'Test/Live'"),
    );
    expect(found).toHaveLength(warnings);
  });
});
