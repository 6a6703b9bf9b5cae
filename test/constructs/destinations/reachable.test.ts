import { describe, expect, it } from '@jest/globals';
import { App, type Environment, Lazy, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageScheduler, MessagingTable, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import {
  allowedActions,
  inlineEndpoint,
  policyStatements,
  propertiesOf,
  variablesOf,
  violationsOf,
} from '../support.ts';

const own = { account: '111111111111', region: 'eu-west-1' };
const other = { account: '222222222222', region: 'eu-west-1' };

function stacks(env: Environment = {}, otherEnv: Environment = env): Record<'a' | 'b' | 'c', Stack> {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const [a, b, c] = ['A', 'B', 'C'].map((id) => new Stack(app, id, { env: id === 'B' ? otherEnv : env }));
  for (const stack of [a, b, c]) new Queue(stack as Stack, 'Any');
  return { a, b, c } as Record<'a' | 'b' | 'c', Stack>;
}

const templateOf = (stack: Stack) => Template.fromStack(stack).toJSON();

type Made = Record<'a' | 'b' | 'c', Stack>;

const cycle = (what: string, one: string, two: string) =>
  `refers to '${what}', and the stacks '${one}' and '${two}' would depend on each other`;

describe('stacks that would depend on each other', () => {
  it.each<[string, (made: Made) => void, string[]]>([
    [
      'three of them, by their endpoints',
      ({ a, b, c }) => {
        const [one, two, three] = [
          inlineEndpoint(a, 'One'),
          inlineEndpoint(b, 'Two'),
          inlineEndpoint(c, 'Three'),
        ];
        one.sendsTo(two);
        two.sendsTo(three);
        three.sendsTo(one);
      },
      [cycle('B/Two/Queue', 'A', 'B'), cycle('C/Three/Queue', 'B', 'C'), cycle('A/One/Queue', 'C', 'A')],
    ],
    [
      'by a table',
      ({ a, b }) => {
        const receiver = inlineEndpoint(a, 'One', { outboxTable: new OutboxTable(b, 'Outbox') });
        inlineEndpoint(b, 'Two').sendsTo(receiver);
      },
      [cycle('A/One/Queue', 'B', 'A')],
    ],
    [
      'by a topic that the other subscribes to',
      ({ a, b }) => {
        const receiver = inlineEndpoint(a, 'One');
        receiver.subscribesTo(new Topic(b, 'Events'));
        inlineEndpoint(b, 'Two').sendsTo(receiver);
      },
      [cycle('A/One/Queue', 'B', 'A')],
    ],
    [
      'by a shared scheduler',
      ({ a, b }) => {
        const scheduler = new MessageScheduler(a, 'Scheduler');
        const receiver = inlineEndpoint(b, 'Two', { scheduler });
        inlineEndpoint(a, 'One', { scheduler }).sendsTo(receiver);
      },
      [cycle('B/Two/Queue', 'A', 'B')],
    ],
    [
      'by topics that both publish to',
      ({ a, b }) => {
        inlineEndpoint(a, 'One').publishesTo(new Topic(b, 'Events'));
        inlineEndpoint(b, 'Two').publishesTo(new Topic(a, 'News'));
      },
      [
        `${cycle('B/Events', 'A', 'B')}. Give the topic a topicName, or declare it in a stack of its own`,
        `${cycle('A/News', 'B', 'A')}. Give the topic a topicName, or declare it in a stack of its own`,
      ],
    ],
    [
      'by a bucket',
      ({ a, b }) => {
        const receiver = inlineEndpoint(a, 'One', { claimCheck: { bucket: new Bucket(b, 'Bodies') } });
        inlineEndpoint(b, 'Two').sendsTo(receiver);
      },
      [`${cycle('B/Bodies', 'A', 'B')}. Give the bucket a bucketName, or declare it in a stack of its own`],
    ],
    [
      'by topics that both subscribe to, also if they have names',
      ({ a, b }) => {
        inlineEndpoint(a, 'One').subscribesTo(new Topic(b, 'Events'));
        inlineEndpoint(b, 'Two').subscribesTo(new Topic(a, 'News', { topicName: 'news' }));
      },
      [
        `[A/One] subscribesTo: 'A/One' ${cycle('B/Events', 'A', 'B')}. Declare the topic in a stack of its own`,
        `[B/Two] subscribesTo: 'B/Two' ${cycle('A/News', 'B', 'A')}. Declare the topic in a stack of its own`,
      ],
    ],
    [
      'by event buses that both subscribe to, also if they have names',
      ({ a, b }) => {
        const options = { messageTypes: ['OrderPlaced'] };
        inlineEndpoint(a, 'One').subscribesTo(new EventBus(b, 'Bus'), options);
        inlineEndpoint(b, 'Two').subscribesTo(new EventBus(a, 'News', { eventBusName: 'news' }), options);
      },
      [
        `[A/One] subscribesTo: 'A/One' ${cycle('B/Bus', 'A', 'B')}. Declare the event bus in a stack of its own`,
        `[B/Two] subscribesTo: 'B/Two' ${cycle('A/News', 'B', 'A')}. Declare the event bus in a stack of its own`,
      ],
    ],
    [
      'by a table, and a scheduler with any name',
      ({ a, b }) => {
        const outboxTable = new OutboxTable(a, 'Outbox');
        const scheduler = new MessageScheduler(b, 'Scheduler', { groupName: 'later' });
        inlineEndpoint(a, 'One', { outboxTable, scheduler });
        inlineEndpoint(b, 'Two', { outboxTable, scheduler });
      },
      [
        `[A/One] scheduler: 'A/One' ${cycle('B/Scheduler', 'A', 'B')}. Declare the MessageScheduler in a stack of its own`,
        `[B/Two] outboxTable: 'B/Two' ${cycle('A/Outbox', 'B', 'A')}. Give the table a tableName`,
      ],
    ],
    [
      'by the keys of their queues',
      ({ a, b }) => {
        inlineEndpoint(a, 'One', { encryptionKey: new Key(b, 'Key') as IKey });
        inlineEndpoint(b, 'Two', { encryptionKey: new Key(a, 'Key') as IKey });
      },
      [
        `[A/One] encryptionKey: 'A/One' ${cycle('B/Key', 'A', 'B')}. Declare the key in a stack of its own`,
        `[B/Two] encryptionKey: 'B/Two' ${cycle('A/Key', 'B', 'A')}. Declare the key in a stack of its own`,
      ],
    ],
    [
      'by a relay in the stack of the table',
      ({ a, b }) => {
        const outboxTable = new OutboxTable(a, 'Outbox');
        new OutboxRelay(a, 'Relay', { endpoints: [inlineEndpoint(b, 'Two', { outboxTable })] });
      },
      [`[A/Relay] endpoints: 'A/Relay' ${cycle('B/Two/Queue', 'A', 'B')}. Give its endpoint a queueName`],
    ],
    [
      'by a role of the user',
      ({ a, b }) => {
        const outboxTable = new OutboxTable(a, 'Outbox', { tableName: 'records' });
        const scheduler = new MessageScheduler(a, 'Scheduler');
        const role = new Role(a, 'Role', { assumedBy: new AccountRootPrincipal() });
        inlineEndpoint(b, 'Two', { outboxTable, scheduler }).grantDispatch(role);
      },
      [`[B/Two/Queue] the stack 'A' ${cycle('B/Two/Queue', 'A', 'B')}. Give its endpoint a queueName`],
    ],
    [
      'by what the user says',
      ({ a, b }) => {
        inlineEndpoint(b, 'Two').sendsTo(inlineEndpoint(a, 'One'));
        a.addStackDependency(b);
      },
      [cycle('A/One/Queue', 'B', 'A')],
    ],
  ])('are reported: %s', (_, make, problems) => {
    const made = stacks();
    make(made);
    const found = violationsOf(made.a);
    for (const problem of problems) expect(found).toContain(problem);
    expect(found.match(/would depend on each other/g)?.length).toBeGreaterThanOrEqual(problems.length);
  });

  it('are reported together with all else', () => {
    const { a, b } = stacks();
    const one = inlineEndpoint(a, 'One', { queueName: 'not a name' });
    const two = inlineEndpoint(b, 'Two');
    one.sendsTo(two);
    two.sendsTo(one);
    const found = violationsOf(a);
    expect(found).toContain("queueName: 'not a name'");
    expect(found).toContain(cycle('B/Two/Queue', 'A', 'B'));
  });

  it('are none when one of two queues has a name, nor when all send in one direction', () => {
    const { a, b, c } = stacks();
    const [one, two] = [inlineEndpoint(a, 'One', { queueName: 'one' }), inlineEndpoint(b, 'Two')];
    one.sendsTo(two);
    two.sendsTo(one, inlineEndpoint(c, 'Three'));
    expect(violationsOf(a)).toBe('');
    expect([a.dependencies, b.dependencies]).toEqual([[b], [c]]);
  });

  it.each<[string, (made: Made) => void, 'a' | 'b']>([
    [
      'a topic',
      ({ a, b }) => {
        const news = new Topic(a, 'News', { topicName: 'news' });
        inlineEndpoint(a, 'One').subscribesTo(new Topic(b, 'Events'));
        inlineEndpoint(b, 'Two').publishesTo(news);
      },
      'a',
    ],
    [
      'an event bus, which always has a name',
      ({ a, b }) => {
        inlineEndpoint(a, 'One').publishesTo(new Topic(b, 'Events'));
        inlineEndpoint(b, 'Two').publishesTo(new EventBus(a, 'Bus'));
      },
      'a',
    ],
    [
      'a table',
      ({ a, b }) => {
        const outboxTable = new MessagingTable(a, 'Table', { tableName: 'records' });
        const scheduler = new MessageScheduler(b, 'Scheduler');
        inlineEndpoint(a, 'One', { outboxTable, scheduler });
        const two = inlineEndpoint(b, 'Two', {
          sagaTable: outboxTable,
          outboxTable,
          scheduler,
          queueName: 'two',
        });
        new OutboxRelay(b, 'Relay', { endpoints: [two] });
      },
      'a',
    ],
    [
      'a bucket',
      ({ a, b }) => {
        const bucket = new Bucket(b, 'Bodies', { bucketName: 'bodies' });
        inlineEndpoint(b, 'Two').sendsTo(inlineEndpoint(a, 'One', { claimCheck: { bucket } }));
      },
      'b',
    ],
    [
      'each of two topics',
      ({ a, b }) => {
        inlineEndpoint(a, 'One').publishesTo(new Topic(b, 'Events', { topicName: 'events' }));
        inlineEndpoint(b, 'Two').publishesTo(new Topic(a, 'News', { topicName: 'news' }));
      },
      'a',
    ],
  ])('are none when what has a name is referred to by that: %s', (what, make, depending) => {
    const made = stacks();
    make(made);
    expect(violationsOf(made.a)).toBe('');
    const other = depending === 'a' ? 'b' : 'a';
    expect(made[other].dependencies).toEqual([]);
    expect(made[depending].dependencies).toEqual(what === 'each of two topics' ? [] : [made[other]]);
    for (const stack of [made.a, made.b])
      expect(JSON.stringify(templateOf(stack))).not.toContain('unreachable');
  });

  it('are reported for a stream, which has no name', () => {
    const { a, b } = stacks();
    const outboxTable = new MessagingTable(a, 'Table', { tableName: 'records', relayStream: true });
    inlineEndpoint(a, 'One', { outboxTable, scheduler: new MessageScheduler(b, 'Scheduler') });
    const two = inlineEndpoint(b, 'Two', { outboxTable, queueName: 'two' });
    new OutboxRelay(b, 'Relay', { endpoints: [two] });
    expect(violationsOf(a)).toMatch(
      /\[B\/Relay\] strategy: 'B\/Relay' refers to 'A\/Table', .* Declare the table in a stack of its own, or use 'scan'\./,
    );
  });

  it('say by the name what the reference says', () => {
    const { a, b } = stacks(own);
    const outboxTable = new OutboxTable(a, 'Outbox', { tableName: 'records' });
    inlineEndpoint(a, 'One').subscribesTo(new Topic(b, 'Events'));
    inlineEndpoint(b, 'Two', { outboxTable }).publishesTo(new Topic(a, 'News', { topicName: 'news' }));
    expect(violationsOf(a)).toBe('');
    expect(variablesOf(b, 'TwoOwn')).toMatchObject({
      SAGABOX_OUTBOX_TABLE: 'records',
      SAGABOX_DESTINATIONS: expect.objectContaining({
        'Fn::Join': ['', expect.arrayContaining([expect.stringContaining('"news":"sns:news"')])],
      }),
    });
    const inPartition = (rest: string) => ({ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, rest]] });
    const resources = policyStatements(b, 'TwoOwn').map(({ Resource }) => Resource);
    expect(resources).toContainEqual(inPartition(':dynamodb:eu-west-1:111111111111:table/records'));
    expect(resources).toContainEqual(inPartition(':sns:eu-west-1:111111111111:news'));
  });

  it('are found in each Stage by itself', () => {
    const app = new App();
    const made = ['Dev', 'Prod'].map((id) => {
      const stage = new Stage(app, id);
      return [new Stack(stage, 'A'), new Stack(stage, 'B')] as const;
    });
    for (const [index, [a, b]] of made.entries()) {
      const [one, two] = [inlineEndpoint(a, 'One'), inlineEndpoint(b, 'Two')];
      one.sendsTo(two);
      if (index === 1) two.sendsTo(one);
    }
    const found = violationsOf(made[0]?.[0] as Stack);
    expect(found).toContain(cycle('Prod/B/Two/Queue', 'Prod/A', 'Prod/B'));
    expect(found).not.toContain("'Dev/");
  });
});

it('leaves the error of a value of the user as it is', () => {
  const { a, b } = stacks(own, other);
  const topicName = Lazy.string({
    produce: () => {
      throw new Error('no name yet');
    },
  });
  inlineEndpoint(a, 'One').publishesTo(new Topic(b, 'Events', { topicName }));
  const found = violationsOf(a);
  expect(found).toContain('no name yet');
  expect(found).not.toContain('Give the topic a topicName');
});

describe('what belongs to another account', () => {
  it('allows the account of the sender: topics, event buses and their keys', () => {
    const { a, b } = stacks(own, other);
    const masterKey = new Key(b, 'Key');
    const topic = new Topic(b, 'Events', { topicName: 'events', masterKey });
    const endpoints = [inlineEndpoint(a, 'One'), inlineEndpoint(a, 'Two')];
    for (const endpoint of endpoints) {
      endpoint.publishesTo(topic, { messageTypes: ['OrderPlaced'] });
      endpoint.publishesTo(new EventBus(b, `Bus${endpoint.node.id}`, { eventBusName: endpoint.node.id }));
    }
    expect(violationsOf(a)).toBe('');
    const { PolicyDocument } = propertiesOf(b, 'AWS::SNS::TopicPolicy') as {
      PolicyDocument: { Statement: object[] };
    };
    expect(PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Allow', Action: 'sns:Publish', Principal: { AWS: accountOf(own) } }),
    ]);
    const bus = propertiesOf(b, 'AWS::Events::EventBusPolicy', 'BusOne') as { Statement: object };
    expect(bus.Statement).toMatchObject({
      Effect: 'Allow',
      Action: 'events:PutEvents',
      Principal: { AWS: accountOf(own) },
    });
    const { KeyPolicy } = propertiesOf(b, 'AWS::KMS::Key') as { KeyPolicy: { Statement: object[] } };
    expect(KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Principal: { AWS: accountOf(own) },
      }),
    );
    const allowed = Object.values(allowedActions(a, 'OneOwn')).flat();
    expect(allowed).toEqual(
      expect.arrayContaining(['sns:Publish', 'events:PutEvents', 'kms:GenerateDataKey']),
    );
  });

  it.each<[string, (made: Made) => void, string]>([
    [
      'a queue',
      ({ a, b }) => inlineEndpoint(a, 'One').sendsTo({ name: 'q', queue: new Queue(b, 'Q') }),
      "[A/One] sendsTo: 'B/Q' is in account 222222222222, region eu-west-1, and 'A/One' in account 111111111111",
    ],
    [
      'a topic to publish to',
      ({ a, b }) => inlineEndpoint(a, 'One').publishesTo(new Topic(b, 'Events')),
      'Give the topic a topicName',
    ],
    [
      'an event bus',
      ({ a, b }) => inlineEndpoint(a, 'One').publishesTo(new EventBus(b, 'Bus')),
      'Give the event bus an eventBusName',
    ],
    [
      'a bucket',
      ({ a, b }) => inlineEndpoint(a, 'One', { claimCheck: { bucket: new Bucket(b, 'Bodies') } }),
      'Give the bucket a bucketName',
    ],
    [
      'a topic to subscribe to',
      ({ a, b }) => inlineEndpoint(a, 'One').subscribesTo(new Topic(b, 'Events')),
      "[A/One] subscribesTo: 'B/Events' is in account 222222222222, region eu-west-1",
    ],
    [
      'a key',
      ({ a, b }) => inlineEndpoint(a, 'One', { encryptionKey: new Key(b, 'Key') as IKey }),
      "[A/One] encryptionKey: 'B/Key' is in account 222222222222",
    ],
    [
      'a scheduler',
      ({ a, b }) => inlineEndpoint(a, 'One', { scheduler: new MessageScheduler(b, 'Scheduler') }),
      "[A/One] scheduler: 'B/Scheduler' is in account 222222222222",
    ],
  ])('is reported when it has no name, or cannot be used: %s', (_, make, problem) => {
    const made = stacks(own, other);
    make(made);
    expect(violationsOf(made.a)).toContain(problem);
  });

  it('may be of the same account in place of another', () => {
    const { a, b } = stacks(own);
    const scheduler = new MessageScheduler(b, 'Scheduler');
    const orders = inlineEndpoint(a, 'One', { scheduler, claimCheck: { bucket: new Bucket(b, 'Bodies') } });
    orders.sendsTo({ name: 'q', queue: new Queue(b, 'Q') });
    orders.publishesTo(new Topic(b, 'Events'), { messageTypes: ['OrderPlaced'] });
    orders.publishesTo(new EventBus(b, 'Bus'));
    orders.subscribesTo(new Topic(b, 'More'));
    expect(violationsOf(a)).toBe('');
  });
});

const accountOf = ({ account }: { account: string }) => ({
  'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::${account}:root`]],
});
