import { describe, expect, it } from '@jest/globals';
import { Aws, CfnParameter, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket, type CfnBucket, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { ClaimCheckBucket, type ClaimCheckBucketProps } from 'sagabox/constructs';
import {
  arnOf,
  expectViolation,
  inlineEndpoint,
  policyStatements,
  propertiesOf,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const BUCKET = 'AWS::S3::Bucket';

function bucketWith(props: ClaimCheckBucketProps = {}): Stack {
  const stack = unbundledStack();
  new ClaimCheckBucket(stack, 'Bodies', props);
  return stack;
}

const objects = (bucket: string, path: string) => ({ 'Fn::Join': ['', [arnOf(bucket), `/${path}`]] });

describe('the bucket of claim checks', () => {
  it('is encrypted, closed to the public, and removes bodies after 21 days', () => {
    expect(propertiesOf(bucketWith(), BUCKET)).toEqual({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: [{ ExpirationInDays: 21, Prefix: 'claims/', Status: 'Enabled' }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it('refuses calls that are not encrypted', () => {
    const { PolicyDocument } = propertiesOf(bucketWith(), 'AWS::S3::BucketPolicy');
    expect(JSON.stringify(PolicyDocument)).toContain('"aws:SecureTransport":"false"');
  });

  it.each([
    [undefined, 'Retain'],
    [RemovalPolicy.RETAIN, 'Retain'],
    [RemovalPolicy.DESTROY, 'Delete'],
  ])('when it leaves the stack, with %s: %s', (removalPolicy, deletionPolicy) => {
    const stack = bucketWith(removalPolicy === undefined ? {} : { removalPolicy });
    const [bucket] = Object.values(Template.fromStack(stack).findResources(BUCKET));
    expect(bucket?.DeletionPolicy).toBe(deletionPolicy);
  });

  it('takes a name, a retention and a key, and can be emptied when it is destroyed', () => {
    const stack = unbundledStack();
    new ClaimCheckBucket(stack, 'Bodies', {
      bucketName: 'bodies',
      retention: Duration.days(30),
      encryptionKey: new Key(stack, 'Key'),
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    expect(propertiesOf(stack, BUCKET)).toMatchObject({
      BucketName: 'bodies',
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30 }] },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } }],
      },
    });
    expect(Object.keys(Template.fromStack(stack).findResources('Custom::S3AutoDeleteObjects'))).toHaveLength(
      1,
    );
  });

  it('is emptied only if it is destroyed', () => {
    const wrong = '[Test/Bodies] autoDeleteObjects: it is true, and the bucket is kept.';
    expectViolation(bucketWith({ autoDeleteObjects: true }), wrong);
    const removalPolicy = RemovalPolicy.DESTROY;
    expectViolation(bucketWith({ autoDeleteObjects: true, removalPolicy }), '');
  });

  it.each([
    [Duration.days(1), 'taken'],
    [Duration.hours(23), 'refused'],
    [Duration.hours(48), 'taken'],
    [Duration.hours(49), 'refused'],
    [Duration.days(0), 'refused'],
  ])('with a retention of %s is %s', (retention, result) => {
    const isAccepted = result === 'taken';
    const stack = bucketWith({ retention });
    expectViolation(stack, isAccepted ? '' : '[Test/Bodies] retention: ');
  });
});

describe('an endpoint with a claim check', () => {
  it('tells its function the bucket, the threshold, and how long bodies are kept', () => {
    const stack = unbundledStack();
    const bucket = new ClaimCheckBucket(stack, 'Bodies');
    expect(inlineEndpoint(stack, 'Orders', { claimCheck: bucket }).claimCheckBucket).toBe(bucket);
    expect(variablesOf(stack, 'OrdersOwn').SAGABOX_CLAIM_CHECK).toEqual({
      'Fn::Join': [
        '',
        [
          '{"bucketName":"',
          { Ref: expect.stringMatching(/^Bodies/) },
          '","thresholdBytes":65536,"retention":{"days":21}}',
        ],
      ],
    });
  });

  it('does not tell a retention that is known only at deployment, which no rule judges', () => {
    const stack = unbundledStack();
    const retention = Duration.days(new CfnParameter(stack, 'Days', { type: 'Number' }).valueAsNumber);
    inlineEndpoint(stack, 'Orders', { claimCheck: new ClaimCheckBucket(stack, 'Bodies', { retention }) });
    expect(JSON.stringify(variablesOf(stack, 'OrdersOwn').SAGABOX_CLAIM_CHECK)).not.toContain('retention');
    expectViolation(stack, '');
  });

  it('may use a bucket of its own and another threshold', () => {
    const stack = unbundledStack();
    const bucket = new Bucket(stack, 'Own');
    inlineEndpoint(stack, 'Orders', { claimCheck: { bucket, thresholdBytes: 1000 } });
    inlineEndpoint(stack, 'Billing', { claimCheck: { bucket } });
    expect(JSON.stringify(variablesOf(stack, 'OrdersOwn'))).toContain('thresholdBytes\\":1000}');
    expect(JSON.stringify(variablesOf(stack, 'BillingOwn'))).toContain('thresholdBytes\\":65536}');
  });

  it.each([
    ['orders', 'claims/orders/*'],
    ['orders.v2 (EU)', 'claims/orders%2Ev2%20(EU)/*'],
    ['all*', `claims/all\${*}/*`],
  ])('named %j puts bodies in its own folder, and takes those of all', (endpointName, folder) => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { endpointName, claimCheck: new ClaimCheckBucket(stack, 'Bodies') });
    expect(policyStatements(stack).filter(({ Action }) => String(Action).startsWith('s3:'))).toEqual([
      { Action: 's3:PutObject', Effect: 'Allow', Resource: objects('Bodies', folder) },
      { Action: 's3:GetObject', Effect: 'Allow', Resource: objects('Bodies', 'claims/*') },
    ]);
  });

  it('puts bodies in any folder when its name is known only at deployment', () => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', {
      endpointName: new CfnParameter(stack, 'Name').valueAsString,
      claimCheck: new ClaimCheckBucket(stack, 'Bodies'),
    });
    expect(policyStatements(stack)).toContainEqual({
      Action: 's3:PutObject',
      Effect: 'Allow',
      Resource: objects('Bodies', 'claims/*'),
    });
  });

  it('may use the key of the bucket', () => {
    const stack = unbundledStack();
    const encryptionKey = new Key(stack, 'Key');
    inlineEndpoint(stack, 'Orders', { claimCheck: new ClaimCheckBucket(stack, 'Bodies', { encryptionKey }) });
    expect(policyStatements(stack)).toContainEqual({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Effect: 'Allow',
      Resource: arnOf('Key'),
    });
  });

  it('has nothing of it by default', () => {
    const stack = unbundledStack();
    expect(inlineEndpoint(stack, 'Orders').claimCheckBucket).toBeUndefined();
    expect(variablesOf(stack, 'OrdersOwn')).not.toHaveProperty('SAGABOX_CLAIM_CHECK');
    expect(JSON.stringify(policyStatements(stack))).not.toContain('s3:');
  });

  it.each([
    [0, 'refused'],
    [1, 'taken'],
    [1.5, 'refused'],
    [1_048_576, 'taken'],
    [1_048_577, 'refused'],
  ])('with a threshold of %s bytes is %s', (thresholdBytes, result) => {
    const isAccepted = result === 'taken';
    const stack = unbundledStack();
    const make = () =>
      inlineEndpoint(stack, 'Orders', { claimCheck: { bucket: new Bucket(stack, 'Own'), thresholdBytes } });
    make();
    const violation = `claimCheck.thresholdBytes: ${thresholdBytes} is out of range`;
    expect(violationsOf(stack).includes(violation)).toBe(!isAccepted);
  });
});

describe('settings of the claim check that contradict others', () => {
  it.each([
    [15, ''],
    [14, '[Test/Orders] claimCheck: the bucket keeps bodies for 1209600 s'],
  ])('a retention of %s days, with 4 days in the queue and 7 in the error queue', (days, violation) => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', {
      claimCheck: new ClaimCheckBucket(stack, 'Bodies', { retention: Duration.days(days) }),
    });
    expectViolation(stack, violation);
  });

  it('an override of the lifecycle rules', () => {
    const stack = unbundledStack();
    const bucket = new ClaimCheckBucket(stack, 'Bodies');
    inlineEndpoint(stack, 'Orders', { claimCheck: bucket });
    expectViolation(stack, '');
    const resource = bucket.node.defaultChild as CfnBucket;
    resource.addPropertyOverride('LifecycleConfiguration.Rules.0.ExpirationInDays', 14);
    expectViolation(stack, '[Test/Orders] claimCheck: the bucket keeps bodies for 1209600 s');
  });

  const tooEarly = '[Test/Orders] claimCheck: the bucket keeps bodies for 1209600 s';
  const early = { expiration: Duration.days(14) };
  it.each<[string, readonly LifecycleRule[], string]>([
    ['no rules', [], ''],
    ['a rule for the whole bucket', [early], tooEarly],
    ['a rule for bodies', [{ ...early, prefix: 'claims/' }], tooEarly],
    ['a rule for some bodies', [{ ...early, prefix: 'claims/orders/' }], tooEarly],
    ['a rule for what begins like them', [{ ...early, prefix: 'cl' }], tooEarly],
    ['an early rule beside a late one', [{ expiration: Duration.days(15) }, early], tooEarly],
    ['a late rule', [{ expiration: Duration.days(15), prefix: 'claims/' }], ''],
    ['a rule for other objects', [{ ...early, prefix: 'logs/' }], ''],
    ['a rule that is off', [{ ...early, enabled: false }], ''],
    ['a rule for objects with a tag', [{ ...early, tagFilters: { kind: 'log' } }], ''],
    ['a rule for small objects', [{ ...early, objectSizeLessThan: 100 }], ''],
    ['a rule for large objects', [{ ...early, objectSizeGreaterThan: 100 }], ''],
    ['a rule that removes nothing', [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }], ''],
  ])('a bucket of the app with %s', (_which, rules, violation) => {
    const stack = unbundledStack();
    const bucket = new Bucket(stack, 'Own');
    inlineEndpoint(stack, 'Orders', { claimCheck: { bucket } });
    for (const rule of rules) bucket.addLifecycleRule(rule);
    expectViolation(stack, violation);
  });

  it('are not looked for in an imported bucket, whose rules are not known', () => {
    const stack = unbundledStack();
    const bucket = Bucket.fromBucketName(stack, 'Imported', 'bodies');
    inlineEndpoint(stack, 'Orders', { claimCheck: { bucket } });
    expectViolation(stack, '');
  });

  it.each<[string, boolean, string]>([
    ['its bucket', true, ''],
    ['no bucket', false, '[Test/Orders] claimCheck: Test/Billing receives messages of this endpoint'],
  ])('a receiver with %s', (_which, hasBucket, violation) => {
    const stack = unbundledStack();
    const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
    const orders = inlineEndpoint(stack, 'Orders', { claimCheck });
    orders.sendsTo(inlineEndpoint(stack, 'Billing', hasBucket ? { claimCheck: { bucket: claimCheck } } : {}));
    expectViolation(stack, violation);
  });

  it.each([
    ['eu-west-1', '[Here/Orders] claimCheck: There/Billing receives messages of this endpoint'],
    ['us-east-1', ''],
  ])('a receiver in %s of a topic that both import of their own place', (region, violation) => {
    const main = unbundledStack();
    const arn = `arn:aws:sns:${Aws.REGION}:${Aws.ACCOUNT_ID}:events`;
    const stackIn = (id: string, of: string) =>
      new Stack(main.node.root, id, { env: { account: '111111111111', region: of } });
    const [here, there] = [stackIn('Here', 'eu-west-1'), stackIn('There', region)];
    const orders = inlineEndpoint(here, 'Orders', { claimCheck: new ClaimCheckBucket(here, 'Bodies') });
    orders.publishesTo(Topic.fromTopicArn(here, 'Events', arn));
    inlineEndpoint(there, 'Billing').subscribesTo(Topic.fromTopicArn(there, 'Events', arn));
    expectViolation(main, violation);
  });

  it('a receiver with another bucket', () => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders', { claimCheck: new ClaimCheckBucket(stack, 'Bodies') });
    const billing = inlineEndpoint(stack, 'Billing', { claimCheck: new ClaimCheckBucket(stack, 'Others') });
    orders.sendsTo({ name: 'charge', queue: billing.queue });
    expectViolation(stack, '[Test/Orders] claimCheck: Test/Billing receives');
  });

  it('do not include a bucket that is imported twice', () => {
    const stack = unbundledStack();
    const imported = (id: string) => ({ bucket: Bucket.fromBucketName(stack, id, 'bodies') });
    const orders = inlineEndpoint(stack, 'Orders', { claimCheck: imported('One') });
    orders.sendsTo(inlineEndpoint(stack, 'Billing', { claimCheck: imported('Two') }));
    expectViolation(stack, '');
  });

  it.each<[string, readonly string[] | undefined, string]>([
    ['all messages', undefined, '[Test/Orders] claimCheck: Test/Billing receives'],
    ['some types', ['A'], ''],
  ])('a subscriber without a bucket that gets %s of the topic', (_which, messageTypes, violation) => {
    const stack = unbundledStack();
    const topic = new Topic(stack, 'Events');
    const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
    inlineEndpoint(stack, 'Orders', { claimCheck }).publishesTo(topic);
    inlineEndpoint(stack, 'Billing').subscribesTo(topic, messageTypes === undefined ? {} : { messageTypes });
    expectViolation(stack, violation);
  });
});
