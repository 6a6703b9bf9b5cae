import { expect, it } from '@jest/globals';
import { ClaimCheckBucket, MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { entry } from '../constructs/endpoint/bundled-endpoint.ts';
import { propertiesOf, unbundledStack, variablesOf } from '../constructs/support.ts';
import { readPage, section, tableRows } from '../support/page-tables.ts';

it('docs/guide/audit.md has the times of the constructs', () => {
  const stack = unbundledStack();
  const outboxTable = new OutboxTable(stack, 'Outbox');
  const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
  new MessageEndpoint(stack, 'Orders', { entry, outboxTable, claimCheck, scheduler: true });
  const retentionOf = (prefix: string) =>
    Number(propertiesOf(stack, 'AWS::SQS::Queue', prefix).MessageRetentionPeriod) / 86_400;
  const { SAGABOX_DEDUPLICATION_PERIOD_SECONDS: seconds } = variablesOf(stack, 'OrdersFunction');
  const bucket = propertiesOf(stack, 'AWS::S3::Bucket', 'Bodies') as {
    LifecycleConfiguration: { Rules: { ExpirationInDays: number }[] };
  };
  const rows = tableRows(section(readPage('guide/audit.md'), '## Where data is'));
  for (const [data, days] of [
    ['messages on their way', retentionOf('OrdersQueue')],
    ['failed messages', retentionOf('OrdersErrorQueue')],
    ['messages that no handler could return', retentionOf('OrdersDeadLetterQueue')],
    ['messages that a schedule could not send', retentionOf('OrdersScheduler')],
    ['ids of handled messages', Number(seconds) / 86_400],
    ['large bodies', bucket.LifecycleConfiguration.Rules[0]?.ExpirationInDays],
    ['logs', propertiesOf(stack, 'AWS::Logs::LogGroup', 'Orders').RetentionInDays],
  ] as const) {
    expect([data, rows.get(data)?.[1]]).toEqual([data, expect.stringContaining(`${days} days`)]);
  }
});
