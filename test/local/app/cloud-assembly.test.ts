import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { readCloudAssembly, type Template } from '../../../lib/local/app/cloud-assembly.ts';
import { writeAssembly } from '../../support/cloud-assembly.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const folderOf = temporaryDirectory();

function typesOf({ Resources: resources = {} }: Template): string[] {
  return Object.values(resources).map(({ Type: type }) => type);
}

describe('a cloud assembly', () => {
  it('has the stacks of the app and its stages, with nested stacks and the files that they deploy', async () => {
    const folder = folderOf('stages');
    const app = new App({ outdir: folder, analyticsReporting: false });
    const shop = new Stack(app, 'Shop');
    const inner = new NestedStack(new NestedStack(shop, 'Outer'), 'Inner');
    new Topic(inner, 'Topic');
    const live = new Stack(new Stage(app, 'Production'), 'Live', { stackName: 'live' });
    const asset = new Asset(live, 'Code', { path: import.meta.dirname });
    app.synth();

    const stacks = await readCloudAssembly(folder);
    expect(stacks.map(({ name }) => name)).toEqual(['Shop', 'live']);
    expect(typesOf(stacks[0]?.template ?? {})).toEqual(['AWS::CloudFormation::Stack']);
    expect(stacks[0]?.nestedTemplates.flatMap(typesOf).sort()).toEqual([
      'AWS::CloudFormation::Stack',
      'AWS::SNS::Topic',
    ]);
    expect(stacks[1]?.nestedTemplates).toEqual([]);
    expect(stacks[1]?.assetPaths.get(asset.assetHash)).toBe(join(folder, `asset.${asset.assetHash}`));
    expect(stacks[0]?.assetPaths.has(asset.assetHash)).toBe(false);
  });

  it('of a later version of the CDK is read too', async () => {
    const folder = folderOf('later');
    await writeAssembly(folder, { Shop: {} }, '999.0.0');
    expect(await readCloudAssembly(folder)).toHaveLength(1);
  });

  it.each([
    ['a folder without a manifest', {}, /ENOENT.*manifest\.json/],
    ['a broken template', { Shop: '{' }, /Shop\.template\.json: .*position 1/],
  ])('is not %s', async (name, templates, problem) => {
    const folder = folderOf(name);
    await mkdir(folder);
    if ('Shop' in templates) await writeAssembly(folder, templates);
    const error = await sagaboxErrorOf(readCloudAssembly(folder));
    expect(error.code).toBe('Configuration');
    expect(error.message).toMatch(problem);
    expect(error.message).toContain(`${folder}: it holds no cloud assembly`);
    expect(error.message).toContain('cdk synth');
  });
});
