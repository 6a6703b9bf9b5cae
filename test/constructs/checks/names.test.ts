import { expect, it } from '@jest/globals';
import { Lazy, type Stack } from 'aws-cdk-lib';
import { ClaimCheckBucket, MessageEndpoint, MessageScheduler, OutboxTable } from 'sagabox/constructs';
import { entry } from '../endpoint/bundled-endpoint.ts';
import { unbundledStack, violationsOf } from '../support.ts';

type Make = (stack: Stack, name: string) => unknown;

const long = (length: number) => 'a'.repeat(length);

/** By setting: names on both sides of each limit. */
const names: [setting: string, make: Make, sound: string[], wrong: string[]][] = [
  [
    'tableName',
    (stack, tableName) => new OutboxTable(stack, 'It', { tableName }),
    ['abc', 'A-b_c.1', long(255)],
    ['', 'ab', long(256), 'a b c', 'a/b'],
  ],
  [
    'bucketName',
    (stack, bucketName) => new ClaimCheckBucket(stack, 'It', { bucketName }),
    ['abc', '1.2.3', 'a-b', long(63)],
    ['', 'ab', long(64), 'Abc', 'a_b', 'a..b', 'a.-b', 'a-.b', '-ab', 'ab-', '1.2.3.4'],
  ],
  [
    'groupName',
    (stack, groupName) => new MessageScheduler(stack, 'It', { groupName }),
    ['a', 'A-b_c.1', long(64)],
    ['', long(65), 'a b', 'a/b'],
  ],
  [
    'aliasName',
    (stack, aliasName) => new MessageEndpoint(stack, 'It', { entry, aliasName }),
    ['a', '1a', long(128)],
    ['', long(129), '12', 'a b'],
  ],
];

it.each(names)('%s is one that the service takes', (setting, make, sound, wrong) => {
  const reportOf = (name: string) => {
    const stack = unbundledStack();
    make(stack, name);
    return violationsOf(stack);
  };
  for (const name of [...sound, Lazy.string({ produce: () => 'abc' })]) expect(reportOf(name)).toBe('');
  for (const name of wrong) expect(reportOf(name)).toContain(`[Test/It] ${setting}: '${name}' is no name of`);
});
