import { describe, expect, it } from '@jest/globals';
import {
  type IntrinsicScope,
  noValue,
  resolveIntrinsics,
} from '../../../../lib/local/app/resources/intrinsics.ts';

const scope: IntrinsicScope = {
  ref: (name) => (name === 'AWS::NoValue' ? noValue : `ref:${name}`),
  attribute: (logicalId, attribute) => `attribute:${logicalId}:${attribute}`,
  importedValue: (name) => `imported:${name}`,
  stackOutput: (stackName, outputName) => `output:${stackName}:${outputName}`,
  mapping: (map, key, attribute) => `mapping:${map}:${key}:${attribute}`,
};

/** A placeholder of Fn::Sub. */
const sub = (name: string): string => `\${${name}}`;
const subbed = `x-ref:AWS::Region-attribute:Queue:Arn-${sub('Literal')}`;

describe('intrinsic functions', () => {
  it.each([
    [{ Ref: 'Queue' }, 'ref:Queue'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'attribute:Queue:Arn'],
    [{ 'Fn::GetAtt': 'Stack.Outputs.Name' }, 'attribute:Stack:Outputs.Name'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'B' }, 'c']] }, 'a-ref:B-c'],
    [{ 'Fn::Sub': `x-${sub('AWS::Region')}-${sub('Queue.Arn')}-${sub('!Literal')}` }, subbed],
    [{ 'Fn::Sub': [`${sub('own')}/${sub('Other')}`, { own: { Ref: 'A' } }] }, 'ref:A/ref:Other'],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['|', 'a|b|c'] }] }, 'b'],
    [{ 'Fn::ImportValue': 'shared' }, 'imported:shared'],
    [{ 'Fn::GetStackOutput': { StackName: { Ref: 'Name' }, OutputName: 'Out' } }, 'output:ref:Name:Out'],
    [{ 'Fn::FindInMap': ['Map', { Ref: 'Key' }, 'name'] }, 'mapping:Map:ref:Key:name'],
  ])('%j is %s', (value, expected) => {
    expect(resolveIntrinsics(value, scope)).toBe(expected);
  });

  it('are resolved wherever they are', () => {
    const value = { list: [{ Ref: 'A' }, 1, null], map: { deep: { Ref: 'B' }, flag: true } };
    expect(resolveIntrinsics(value, scope)).toEqual({
      list: ['ref:A', 1, null],
      map: { deep: 'ref:B', flag: true },
    });
  });

  it('leave out what has no value', () => {
    const none = { Ref: 'AWS::NoValue' };
    expect(resolveIntrinsics({ kept: 1, dropped: none, list: [none, 2] }, scope)).toEqual({
      kept: 1,
      list: [2],
    });
  });

  it('that are not known are refused by name', () => {
    expect(() => resolveIntrinsics({ 'Fn::Transform': {} }, scope)).toThrow("'Fn::Transform'");
  });
});
