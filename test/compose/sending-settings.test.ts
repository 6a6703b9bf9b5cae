import { describe, expect, it } from '@jest/globals';
import { claimCheckOf, schedulerOf, sendingOf } from '../../lib/compose/sending-settings.ts';
import type { ClaimCheckConfiguration, SchedulerConfiguration } from '../../lib/settings/sending.ts';

const group = { groupName: 'timeouts', roleArn: 'arn:aws:iam::123456789012:role/timeouts' };
const deadLetterArn = 'arn:aws:sqs:eu-west-1:123456789012:dead-letters';

/** As an option, and as what the construct writes. */
const waysToSet = <T>(option: string, variable: string, value: T) =>
  [
    [{ [option]: value }, {}],
    [{}, { [variable]: JSON.stringify(value) }],
  ] as const;

describe('the scheduler', () => {
  const read = (value: unknown) =>
    waysToSet('scheduler', 'SAGABOX_SCHEDULER', value).map(([options, environment]) =>
      schedulerOf(options as { scheduler?: SchedulerConfiguration }, environment),
    );

  it('is a group and a role, with a dead letter queue or without', () => {
    expect(read(group)).toEqual([group, group]);
    expect(read({ ...group, deadLetterArn })).toEqual(Array(2).fill({ ...group, deadLetterArn }));
    expect(schedulerOf({}, {})).toBeUndefined();
  });

  it('is named by the constructs, in the account and region of the function', () => {
    const named = { groupName: 'timeouts', roleName: 'timeouts', deadLetterQueueName: 'dead-letters' };
    const SAGABOX_SCHEDULER = JSON.stringify(named);
    const environment = { SAGABOX_SCHEDULER, SAGABOX_ACCOUNT_ID: '123456789012', AWS_REGION: 'eu-west-1' };
    expect(schedulerOf({}, environment)).toEqual({ ...group, deadLetterArn });
    for (const missing of ['SAGABOX_ACCOUNT_ID', 'AWS_REGION'])
      expect(() => schedulerOf({}, { ...environment, [missing]: undefined })).toThrow(/its role is no ARN/);
  });

  it('may have a key', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1';
    expect(read({ ...group, kmsKeyArn })).toEqual(Array(2).fill({ ...group, kmsKeyArn }));
    for (const key of ['', 'alias/key', 7, null])
      expect(() => read({ ...group, kmsKeyArn: key })).toThrow(/kmsKeyArn.* is no ARN/);
  });

  it.each([
    `${deadLetterArn}.fifo`,
    'https://sqs.eu-west-1.amazonaws.com/123456789012/dead-letters',
    'arn:aws:sns:eu-west-1:123456789012:dead-letters',
    '',
    null,
    7,
  ])('with the dead letter queue %j is refused', (arn) => {
    expect(() => read({ ...group, deadLetterArn: arn })).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: expect.stringContaining('deadLetterArn'),
      }),
    );
  });

  it.each([{ roleArn: group.roleArn }, { ...group, roleArn: 'timeouts' }, 'timeouts', null])(
    'that is %j is refused',
    (value) => {
      expect(() => schedulerOf({}, { SAGABOX_SCHEDULER: JSON.stringify(value) })).toThrow(
        expect.objectContaining({ code: 'Configuration' }),
      );
    },
  );
});

describe('how long a claim check keeps bodies', () => {
  const read = (value: object) =>
    waysToSet('claimCheck', 'SAGABOX_CLAIM_CHECK', { bucketName: 'bodies', ...value }).map(
      ([options, environment]) => [options as { claimCheck?: ClaimCheckConfiguration }, environment] as const,
    );

  it.each([
    [{ retention: { days: 21 } }, 1_814_400],
    [{}, undefined],
  ])('is, with %j, %s seconds', (value, retentionSeconds) => {
    for (const [options, environment] of read(value)) {
      expect(claimCheckOf(options, environment)).toEqual({
        bucketName: 'bodies',
        thresholdBytes: 65_536,
        retentionSeconds,
      });
      expect(sendingOf(options, environment).claimCheckRetentionSeconds).toBe(retentionSeconds);
    }
  });

  it.each([{ days: 0 }, { days: -1 }, null, 'long'])('is not %j', (retention) => {
    for (const [options, environment] of read({ retention })) {
      expect(() => claimCheckOf(options, environment)).toThrow(/retention/);
    }
  });
});
