import { describe, expect, it } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { type MessagingTableProps, type OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { unbundledStack } from '../support.ts';

/** Takes 1 RCU and 2 WCU of the saga table for each message. */
const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const workload = { message, messagesPerSecond: 70, peakMessagesPerSecond: 140 };
const peak = {
  start: Schedule.cron({ hour: '8', minute: '0' }),
  end: Schedule.cron({ hour: '9', minute: '0' }),
};

function provisioned(maxReadRequestUnits: number, maxWriteRequestUnits: number): TableCapacity {
  return TableCapacity.provisioned({
    read: { minCapacity: 1, maxCapacity: maxReadRequestUnits },
    write: { minCapacity: 1, maxCapacity: maxWriteRequestUnits },
    workload,
  });
}

/** 7.000000000000001 read units by the arithmetic. */
const fractions = [1.6, 2.7, 2.7].map((messagesPerSecond) => ({ message, messagesPerSecond }));

function peakUpTo(maxCapacity: number): TableCapacity {
  const scheduledPeaks = [{ ...peak, write: { minCapacity: 1, maxCapacity } }];
  return TableCapacity.forWorkload(workload, { scheduledPeaks });
}

function warm(readUnitsPerSecond: number, writeUnitsPerSecond: number): MessagingTableProps {
  return { warmThroughput: { readUnitsPerSecond, writeUnitsPerSecond } };
}

type Case = [string, typeof SagaTable | typeof OutboxTable, MessagingTableProps, readonly string[]];

describe('the rules of a table', () => {
  it.each<Case>([
    ['maxima of the peak', SagaTable, { capacity: provisioned(140, 280) }, []],
    [
      'a low maximum of reads',
      SagaTable,
      { capacity: provisioned(139, 280) },
      ['capacity.read.maxCapacity: 139'],
    ],
    [
      'a low maximum of writes',
      SagaTable,
      { capacity: provisioned(140, 279) },
      ['capacity.write.maxCapacity: 279'],
    ],
    [
      'on-demand maxima of the peak',
      SagaTable,
      { capacity: TableCapacity.onDemand({ maxReadRequestUnits: 140, workload }) },
      [],
    ],
    [
      'low on-demand maxima',
      SagaTable,
      { capacity: TableCapacity.onDemand({ maxReadRequestUnits: 139, maxWriteRequestUnits: 279, workload }) },
      ['capacity.maxReadRequestUnits: 139', 'capacity.maxWriteRequestUnits: 279'],
    ],
    [
      'a maximum of a peak that the arithmetic makes a little more',
      SagaTable,
      { capacity: TableCapacity.onDemand({ maxReadRequestUnits: 7, workload: fractions }) },
      [],
    ],
    ['a scheduled peak up to the peak', SagaTable, { capacity: peakUpTo(280) }, []],
    ['a low scheduled peak', SagaTable, { capacity: peakUpTo(279) }, ["write.maxCapacity of 'Peak1': 279"]],
    ['warm on demand', SagaTable, warm(12_000, 4_000), []],
    [
      'hardly warm on demand',
      SagaTable,
      warm(11_999, 3_999),
      ['warmThroughput.readUnitsPerSecond: 11999', 'warmThroughput.writeUnitsPerSecond: 3999'],
    ],
    ['half a unit', SagaTable, warm(12_000.5, 4_000), ['warmThroughput.readUnitsPerSecond: 12000.5']],
    [
      'warm for its minimum',
      SagaTable,
      { capacity: TableCapacity.forWorkload(workload), ...warm(100, 200) },
      [],
    ],
    [
      'less warm than its minimum',
      SagaTable,
      { capacity: TableCapacity.forWorkload(workload), ...warm(99, 200) },
      ['warmThroughput.readUnitsPerSecond: 99'],
    ],
  ])('on %s', (_name, Table, props, violations) => {
    const stack = unbundledStack();
    new Table(stack, 'Table', props);
    if (violations.length === 0) expect(() => Template.fromStack(stack)).not.toThrow();
    for (const violation of violations) expect(() => Template.fromStack(stack)).toThrow(violation);
  });
});
