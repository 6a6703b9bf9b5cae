import { describe, expect, it } from '@jest/globals';
import { CfnParameter } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expectViolation, inlineEndpoint, ordersEndpoint, propertiesOf, unbundledStack } from '../support.ts';

const nameOf = (length: number) => 'q'.repeat(length);

describe('the queueName of an endpoint', () => {
  it.each([
    [false, 'orders', ['orders', 'orders-dead-letters', 'orders-errors']],
    [true, 'orders', ['orders.fifo', 'orders-dead-letters.fifo', 'orders-errors.fifo']],
    [true, 'orders.fifo', ['orders.fifo', 'orders-dead-letters.fifo', 'orders-errors.fifo']],
    [false, undefined, [undefined, undefined, undefined]],
  ])('names all of its queues; fifo %s, %s', (fifo, queueName, names) => {
    const { stack } = ordersEndpoint({ fifo, ...(queueName === undefined ? {} : { queueName }) });
    const queues = Object.values(Template.fromStack(stack).findResources('AWS::SQS::Queue'));
    expect(queues.map(({ Properties }) => Properties.QueueName).sort()).toEqual(names.toSorted());
  });

  it('may be known at deployment only', () => {
    const stack = unbundledStack();
    const { valueAsString: queueName } = new CfnParameter(stack, 'Name');
    inlineEndpoint(stack, 'Orders', { queueName, fifo: true });
    const { QueueName } = propertiesOf(stack, 'AWS::SQS::Queue', 'OrdersQueue');
    expect(QueueName).toEqual({ 'Fn::Join': ['', [{ Ref: 'Name' }, '.fifo']] });
  });

  it.each([
    [nameOf(67), false, 'no problem'],
    [nameOf(68), false, "queueName: with '-dead-letters', 'qqq"],
    [nameOf(62), true, 'no problem'],
    [`${nameOf(62)}.fifo`, true, 'no problem'],
    [nameOf(63), true, "Use at most 62 characters, not counting '.fifo'"],
    ['orders.fifo', false, "queueName: 'orders.fifo' ends in '.fifo', and the endpoint is not FIFO"],
    ['or ders', false, "queueName: 'or ders' is no name of a queue. Use letters, digits"],
    ['', false, "queueName: '' is no name of a queue"],
  ])('%s with fifo %s has at synth: %s', (queueName, fifo, report) => {
    const violation = report === 'no problem' ? '' : report;
    expectViolation(ordersEndpoint({ queueName, fifo }).stack, violation);
  });
});
