import { describe, expect, it } from '@jest/globals';
import { App, Aws, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { jsonPieces } from '../../../lib/constructs/destinations/json-pieces.ts';
import { environmentBytes } from '../../../lib/constructs/limits/function-environment.ts';
import { textBytes } from '../../../lib/constructs/limits/rendered-size.ts';
import { parameterNames, readSettingsReference } from '../../../lib/settings/settings-reference.ts';
import { inlineEndpoint, inlineFunction, limitsOf, unbundledStack, variablesOf } from '../support.ts';

const PARAMETER = 'AWS::SSM::Parameter';

interface Parameter {
  readonly Properties: { readonly Name: string; readonly Value: unknown; readonly Tier: string };
}

function parametersOf(stack: Stack): Parameter['Properties'][] {
  const found = Template.fromStack(stack).findResources(PARAMETER) as Record<string, Parameter>;
  return Object.values(found).map(({ Properties }) => Properties);
}

function sending(count: number, environment: Record<string, string> = {}, scope: App | Stage = new App()) {
  const stack = new Stack(scope, 'Shop', { stackName: 'Shop' });
  const orders = inlineEndpoint(stack, 'Orders', { environment });
  const queue = new Queue(stack, 'Audit');
  for (let index = 0; index < count; index++) orders.sendsTo({ name: `destination-${index}`, queue });
  return { stack, orders };
}

describe('the JSON of a setting', () => {
  it.each([
    {},
    [],
    null,
    'a "quoted" text',
    { a: 1, b: [true, null, { c: 'd' }], e: { f: { g: 'h' } }, i: undefined },
  ])('is what its pieces form together: %j', (value) => {
    const json = JSON.stringify(value);
    expect(jsonPieces(json).join('')).toBe(json);
  });
});

describe('the environment of a function', () => {
  it('holds the destinations as long as there is room for them, and refers to them above', () => {
    // Each destination takes about as much as its name and that of its queue.
    const bytesOf = (count: number) => {
      const { stack, orders } = sending(count);
      const { SAGABOX_DESTINATIONS: destinations } = variablesOf(stack, 'OrdersOwn');
      return { bytes: environmentBytes(orders.function) ?? 0, isMoved: typeof destinations === 'string' };
    };
    let [held, moved] = [10, 49];
    while (moved - held > 1) {
      const middle = Math.floor((held + moved) / 2);
      [held, moved] = bytesOf(middle).isMoved ? [held, middle] : [middle, moved];
    }
    const sizes = [10, held, moved, 49].map(bytesOf);
    expect(sizes.map(({ isMoved }) => isMoved)).toEqual([false, false, true, true]);
    expect(sizes[1]?.bytes).toBeGreaterThan(3_900);
    for (const { bytes } of sizes) expect(bytes).toBeLessThanOrEqual(4_096);
  });

  it('refers to parameters that hold the same JSON, and that the function alone may read', () => {
    const { stack, orders } = sending(80);
    const whole = JSON.stringify(stack.resolve(orders.handlerEnvironment.SAGABOX_DESTINATIONS));
    expect(whole).toContain('destination-79');
    const { SAGABOX_DESTINATIONS: reference } = variablesOf(stack, 'OrdersOwn');
    const referred = readSettingsReference(String(reference)) ?? { path: '', count: 0 };
    const { path } = referred;
    const setting = '/sagabox/Shop/Orders-Settings-[0-9a-f]{8}/SAGABOX_DESTINATIONS';
    expect(path).toMatch(new RegExp(`^${setting}/[0-9a-f]{12}$`));
    const parameters = parametersOf(stack);
    expect(parameters.map(({ Name, Tier }) => [Name, Tier])).toEqual(
      parameterNames(referred).map((name) => [name, 'Standard']),
    );
    expect(parameters.length).toBeGreaterThan(2);
    const texts = parameters.map(({ Value }) => deployed(Value));
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4_096);
    const destinations = JSON.parse(texts.join(''));
    expect(Object.keys(destinations)).toEqual([
      'orders',
      ...Array.from(Array(80), (_, i) => `destination-${i}`),
    ]);
    const statements = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const reads = statements.filter(({ Action }) => /ssm/.test(String(Action)));
    expect(reads).toEqual([
      {
        Action: 'ssm:GetParameters',
        Effect: 'Allow',
        Resource: stack.resolve(
          `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${path.replace(/[^/]+$/, '*')}`,
        ),
      },
    ]);
    const [own] = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
    expect(own?.DependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/Settings/)]));
  });

  it('fills parameters of the standard tier to 4,096 bytes, and no further', () => {
    const parametersWith = (length: number) => {
      // The user's own variable leaves no room for the destinations.
      const { stack, orders } = sending(0, { OWN: 'x'.repeat(3_500) });
      const queue = Queue.fromQueueArn(orders, 'Far', 'arn:aws:sqs:eu-west-1:111111111111:far');
      orders.sendsTo({ name: 'm'.repeat(2_000), queue }, { name: 'n'.repeat(length), queue });
      return parametersOf(stack).map(({ Value }) => textBytes(stack, Value));
    };
    const [bytes = 0] = parametersWith(1_000);
    const full = 1_000 + 4_096 - bytes;
    expect(parametersWith(full)).toEqual([4_096]);
    const [first = 0, second = 0, ...others] = parametersWith(full + 1);
    expect([first + second, others]).toEqual([4_097, []]);
    expect(Math.max(first, second)).toBeLessThanOrEqual(4_096);
  });

  it.each([
    [
      'an alias',
      (own: LambdaFunction) =>
        new Alias(own, 'Live', { aliasName: 'live', version: own.currentVersion as IVersion }),
    ],
    ['a version', (own: LambdaFunction) => own.currentVersion],
  ])('is that of the function that %s stands for', (_, targetOf) => {
    const stack = unbundledStack();
    const own = inlineFunction(stack, 'Own');
    own.addEnvironment('OWN', 'ü'.repeat(100));
    expect(environmentBytes(targetOf(own) as IFunction)).toBe(environmentBytes(own));
    expect(environmentBytes(own)).toBe('{"OWN":""}'.length + 200);
  });

  it('refers to a path that does not depend on what stands above the stack', () => {
    const referenceIn = (scope: App | Stage) =>
      variablesOf(sending(80, {}, scope).stack, 'OrdersOwn').SAGABOX_DESTINATIONS;
    expect(referenceIn(new Stage(new App(), 'Prod'))).toEqual(referenceIn(new App()));
  });

  it.each([
    [3_500, 'no problem'],
    [4_100, "function 'Shop/OrdersOwn/Resource': its environment has"],
  ])('with %i bytes of the user reports %s', (bytes, report) => {
    const violation = report === 'no problem' ? '' : report;
    const found = limitsOf(sending(80, { OWN: 'x'.repeat(bytes) }).stack);
    if (violation === '') expect(found).toBe('');
    else expect(found).toContain(violation);
    expect(found.match(/and Lambda takes 4096/g) ?? []).toHaveLength(violation === '' ? 0 : 1);
  });
});

/** With a name of 80 characters for each reference. */
function deployed(value: unknown): string {
  if (typeof value === 'string') return value;
  const [, parts] = (value as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : 'q'.repeat(80))).join('');
}
