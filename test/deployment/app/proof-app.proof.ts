import { describe, expect, it } from '@jest/globals';
import { Stage, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { proofApp } from './proof-app.ts';

const inFolder = directoryOfTest();
const unbundled = { 'aws:cdk:bundling-stacks': [], updated: true };

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
}

/** The templates of the app by the names of its stacks, its functions not bundled. */
function templates(context: Record<string, unknown> = {}): Record<string, Template> {
  const app = proofApp({ context: { ...unbundled, ...context }, outdir: inFolder(JSON.stringify(context)) });
  const stages = app.node.findAll().filter((one) => Stage.isStage(one));
  const stacks = stages.flatMap((stage) => (stage as Stage).synth().stacks);
  return Object.fromEntries(stacks.map(({ stackName, template }) => [stackName, template as Template]));
}

/** Replacing one of these loses data or messages, or Lambda refuses the second before the first is gone. */
const lasting =
  /DynamoDB::|SQS::Queue$|S3::Bucket$|Scheduler::ScheduleGroup|Lambda::EventSourceMapping|Events::EventBus|SNS::|KMS::Key$|Logs::LogGroup|Events::Rule/;

/** Named after a source in another stack: one of a renamed stack is another source. */
const ofOtherStack = /From(Proof|Other)Store/;

function lastingResources(template: Template | undefined): string[] {
  return Object.entries(template?.Resources ?? {})
    .filter(([, { Type }]) => lasting.test(Type))
    .map(([logicalId, { Type }]) => `${Type} ${logicalId}`)
    .sort();
}

describe('an app of all constructs', () => {
  it('has no finding of the AwsSolutions rules that is not acknowledged', () => {
    const app = proofApp({ context: unbundled, outdir: inFolder('nag') });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
    expect(() => app.synth()).not.toThrow();
  });

  it.each([
    ['under a stage', { stage: 'Production' }, 'Proof'],
    ['in renamed stacks', { prefix: 'Other' }, 'Other'],
  ])('has the same logical ids %s', (_, context, prefix) => {
    const here = templates();
    const there = templates(context);
    for (const name of ['Store', 'Office']) {
      const expected = lastingResources(here[`Proof${name}`]);
      expect(expected.length).toBeGreaterThan(10);
      const isOwn = (id: string) => prefix === 'Proof' || !ofOtherStack.test(id);
      expect(lastingResources(there[`${prefix}${name}`]).filter(isOwn)).toEqual(expected.filter(isOwn));
    }
  });
});
