import { describe, expect, it } from '@jest/globals';
import { App, type CfnResource, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { inlineEndpoint, violationsOf } from '../support.ts';

function endpoints(names: readonly (string | undefined)[], stacksOf: (app: App) => readonly Stack[]) {
  const app = new App();
  const stacks = stacksOf(app);
  const made = stacks.map((stack, index) => {
    const queueName = names[index];
    return inlineEndpoint(stack, `Desk${index}`, {
      endpointName: `desk-${index}`,
      ...(queueName === undefined ? {} : { queueName }),
    });
  });
  for (const endpoint of made) endpoint.sendsTo(...made.filter((other) => other !== endpoint));
  return { made, stacks };
}

const siblings = (app: App) => {
  const parent = new Stack(app, 'Parent');
  return ['One', 'Other'].map((id) => new NestedStack(parent, id));
};

/** Which nested stacks each of them waits for, by the template of what holds them. */
function waitsOf(parent: Stack): Record<string, string[]> {
  const stacks = Template.fromStack(parent).findResources('AWS::CloudFormation::Stack');
  const ids = Object.keys(stacks);
  return Object.fromEntries(
    ids.map((id) => [
      id.slice(0, 3),
      ids
        .filter((other) => JSON.stringify(stacks[id]).includes(`"${other}"`))
        .map((other) => other.slice(0, 3)),
    ]),
  );
}

describe('endpoints of nested stacks that send to each other', () => {
  it('are refused, as CloudFormation can make neither stack first', () => {
    const { stacks } = endpoints([], siblings);
    const found = violationsOf(stacks[0] as Stack);
    expect(found).toMatch(
      /\[Parent\/\S+\] sendsTo: '\S+' refers to '\S+', and the stacks 'Parent\/\w+' and 'Parent\/\w+' would depend on each other/,
    );
    expect(found).toContain('queueName');
  });

  it.each<[string, readonly (string | undefined)[]]>([
    ['both', ['one', 'other']],
    ['one of them', ['one', undefined]],
  ])('are taken if %s has a name, and no stack waits for the other in turn', (_which, names) => {
    const { stacks } = endpoints(names, siblings);
    const [parent] = stacks.map(({ nestedStackParent }) => nestedStackParent);
    expect(violationsOf(parent as Stack)).toBe('');
    const { One = [], Oth = [] } = waitsOf(parent as Stack);
    expect(One.length + Oth.length).toBeLessThan(2);
  });

  it('are taken of a stack and one that it holds', () => {
    const { stacks } = endpoints([], (app) => {
      const parent = new Stack(app, 'Parent');
      return [parent, new NestedStack(parent, 'One')];
    });
    expect(violationsOf(stacks[0] as Stack)).toBe('');
  });

  it('are refused below nested stacks, too, by the two that part their ways', () => {
    const { stacks } = endpoints([], (app) => siblings(app).map((stack) => new NestedStack(stack, 'Inner')));
    expect(violationsOf(stacks[0] as Stack)).toMatch(
      /the stacks 'Parent\/\w+' and 'Parent\/\w+' would depend/,
    );
  });

  it('of two stacks are refused by these', () => {
    const { stacks } = endpoints([], (app) =>
      ['First', 'Second'].map((id) => new NestedStack(new Stack(app, id), 'Inner')),
    );
    expect(violationsOf(stacks[0] as Stack)).toMatch(
      /the stacks '(First|Second)' and '(First|Second)' would/,
    );
  });

  it.each<[string, (one: NestedStack, other: NestedStack) => void]>([
    ['a dependency of the stacks', (one, other) => other.addStackDependency(one)],
    ['a dependency of their constructs', (one, other) => other.node.addDependency(one)],
    [
      'a dependency of their resources',
      (one, other) =>
        other.nestedStackResource?.addResourceDependency(one.nestedStackResource as CfnResource),
    ],
  ])('are refused where the other stack waits already, by %s', (_way, wait) => {
    const [one, other] = siblings(new App()) as [NestedStack, NestedStack];
    inlineEndpoint(one, 'Orders').sendsTo(inlineEndpoint(other, 'Billing'));
    wait(one, other);
    expect(violationsOf(one)).toContain(
      "the stacks 'Parent/One' and 'Parent/Other' would depend on each other",
    );
  });

  it('may send in one direction by a reference', () => {
    const [one, other] = siblings(new App());
    const orders = inlineEndpoint(one as Stack, 'Orders');
    orders.sendsTo(inlineEndpoint(other as Stack, 'Billing'));
    orders.publishesTo(new Topic(other as Stack, 'Events'));
    const parent = one?.nestedStackParent as Stack;
    expect(violationsOf(parent)).toBe('');
    expect(waitsOf(parent)).toEqual({ One: ['Oth'], Oth: [] });
  });
});
