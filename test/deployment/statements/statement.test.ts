import { describe, expect, it } from '@jest/globals';
import { outcomeComplaints, outcomeLines } from './outcome.ts';
import { emptyStatement, type Statement, statementsOf, withoutStatement } from './statement.ts';

const allow = (Action: string | string[], Resource: unknown = 'arn') => ({
  Effect: 'Allow',
  Action,
  Resource,
});
const deny = { Effect: 'Deny', Action: 'sqs:*', Resource: 'arn' };
const policy = (Type: string, role: string | undefined, Statement: unknown[], path = '') => ({
  Type,
  Properties: {
    ...(role !== undefined && { Roles: [{ Ref: role }] }),
    PolicyDocument: { Statement: Statement as [] },
  },
  Metadata: { 'aws:cdk:path': path },
});

const template = {
  Resources: {
    Role1: {
      Type: 'AWS::IAM::Role',
      Metadata: { 'aws:cdk:path': 'Shop/Orders/Function/ServiceRole/Resource' },
    },
    Policy1: policy('AWS::IAM::Policy', 'Role1', [
      allow(['sqs:SendMessage', 'sqs:ReceiveMessage']),
      allow('sns:Publish'),
    ]),
    Policy2: policy('AWS::IAM::Policy', 'Role1', [allow('s3:GetObject')]),
    QueuePolicy: policy(
      'AWS::SQS::QueuePolicy',
      undefined,
      [deny, allow('sqs:SendMessage')],
      'Shop/Orders/Queue/Policy/Resource',
    ),
    Table: { Type: 'AWS::DynamoDB::Table' },
  },
};

const names = (statements: readonly Statement[]) => statements.map(({ name }) => name);

describe('the statements of a template', () => {
  const statements = statementsOf('Shop', template);

  it('are named by role or queue, number and first action', () => {
    expect(names(statements)).toEqual([
      'Shop/Orders/Function/ServiceRole#1:sqs:SendMessage',
      'Shop/Orders/Function/ServiceRole#2:sns:Publish',
      'Shop/Orders/Function/ServiceRole#3:s3:GetObject',
      'Shop/Orders/Queue/Policy#1:sqs:SendMessage',
    ]);
  });

  it.each([0, 1, 2, 3])('number %i can be taken out, and no other goes with it', (index) => {
    const statement = statements[index] as Statement;
    const left = statementsOf('Shop', withoutStatement(template, statement));
    const actionsOf = (some: readonly Statement[]) => some.map(({ actions }) => actions.join());
    expect(actionsOf(left)).toEqual(actionsOf(statements.filter((other) => other !== statement)));
    expect(names(statementsOf('Shop', template))).toEqual(names(statements));
  });

  it('leave one that allows nothing where a policy would be empty', () => {
    const left = withoutStatement(template, statements[2] as Statement);
    expect(left.Resources.Policy2.Properties?.PolicyDocument).toEqual({ Statement: [emptyStatement] });
  });
});

describe('the outcome of taking a statement out', () => {
  const statement = statementsOf('Shop', template)[1] as Statement;
  const key = { ...statement, name: 'Shop/Orders#4:kms:Decrypt', actions: ['kms:Decrypt'] };

  it('is good when a call was denied', () => {
    const outcomes = [{ statement, denied: 'sns:Publish on arn', seconds: 1 }];
    expect(outcomeComplaints(outcomes)).toEqual([]);
    expect(outcomeLines(outcomes)).toEqual([`${statement.name}  denied: sns:Publish on arn`]);
  });

  it('is bad when nothing noticed', () => {
    const outcomes = [{ statement, denied: undefined, seconds: 20 }];
    expect(outcomeComplaints(outcomes)).toEqual([`${statement.name} was never needed`]);
    expect(outcomeLines(outcomes)).toEqual([`${statement.name}  NEVER NEEDED`]);
  });

  it('is told with the reason where the emulator cannot notice', () => {
    const outcomes = [{ statement: key, denied: undefined, seconds: 20 }];
    expect(outcomeComplaints(outcomes)).toEqual([]);
    expect(outcomeLines(outcomes)[0]).toContain('not shown: the emulator does not evaluate');
  });
});
