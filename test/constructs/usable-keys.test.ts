import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Alias, type IKey, Key, type KeyProps, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { ClaimCheckBucket, MessageScheduler, SagaTable } from 'sagabox/constructs';
import { keyRules } from '../../lib/constructs/usable-keys.ts';
import { inlineEndpoint, unbundledStack, violationsOf } from './support.ts';

const keyWith = (props: KeyProps) => (stack: Stack) => new Key(stack, 'Key', props);
class TeamKey extends Key {
  readonly aliasName = 'alias/team';
}
const arn = 'arn:aws:kms:eu-west-1:111111111111:key/1';

/** By rule: what is sound beside its boundary, and what is wrong. */
const cases: Record<string, { sound: ((stack: Stack) => IKey)[]; wrong: ((stack: Stack) => IKey)[] }> = {
  keyIsNoAlias: {
    sound: [
      keyWith({ alias: 'alias/shop' }),
      (stack) => Key.fromKeyArn(stack, 'Key', arn),
      (stack) => new TeamKey(stack, 'Key'),
    ],
    wrong: [
      (stack) => new Alias(stack, 'Alias', { aliasName: 'alias/shop', targetKey: new Key(stack, 'Key') }),
      (stack) => Alias.fromAliasName(stack, 'Alias', 'alias/shop'),
    ],
  },
  keyIsSymmetric: {
    sound: [keyWith({ keySpec: KeySpec.SYMMETRIC_DEFAULT })],
    wrong: [keyWith({ keySpec: KeySpec.RSA_2048 })],
  },
  keyEncrypts: {
    sound: [keyWith({ keyUsage: KeyUsage.ENCRYPT_DECRYPT })],
    wrong: [keyWith({ keySpec: KeySpec.ECC_NIST_P256, keyUsage: KeyUsage.SIGN_VERIFY })],
  },
};

const violated = (make: (stack: Stack) => IKey) => {
  const key = make(unbundledStack());
  return keyRules.filter(({ problemOf }) => problemOf(key) !== undefined).map(({ name }) => name);
};

describe('the rules of keys', () => {
  it('are all in this table', () => {
    expect(Object.keys(cases)).toEqual(keyRules.map(({ name }) => name));
  });

  it.each(Object.entries(cases))('%s flips with the key', (name, { sound, wrong }) => {
    expect(sound.map(violated)).toEqual(sound.map(() => []));
    for (const each of wrong) expect(violated(each)).toContain(name);
  });
});

const users: Record<string, (stack: Stack, key: IKey) => unknown> = {
  'an endpoint': (stack, encryptionKey) => inlineEndpoint(stack, 'Made', { encryptionKey, batchSize: 0 }),
  'a table': (stack, encryptionKey) => new SagaTable(stack, 'Made', { encryptionKey, tableName: '' }),
  'a bucket': (stack, encryptionKey) => new ClaimCheckBucket(stack, 'Made', { encryptionKey }),
  'a scheduler': (stack, encryptionKey) => new MessageScheduler(stack, 'Made', { encryptionKey }),
  schedules: (stack, scheduleKey) => new MessageScheduler(stack, 'Made', { scheduleKey }),
};

it.each(Object.entries(users))('a key that cannot be used is reported for %s', (_user, use) => {
  const stack = unbundledStack();
  use(stack, new Key(stack, 'Key', { keySpec: KeySpec.RSA_2048 }));
  expect(violationsOf(stack)).toMatch(
    /\[Test\/Made\] \w+Key: 'Test\/Key' has the KeySpec RSA_2048, with which the service encrypts nothing\. Use a key of/,
  );
});
