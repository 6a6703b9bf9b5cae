import { join } from 'node:path';
import { apps, synthesize, withoutBundles } from '../deployment/cdk/assemblies.ts';
import { readTemplates } from '../deployment/cdk/templates.ts';
import { runTogether } from '../support/load-kill-verify/run-together.ts';
import { withFolder } from '../support/with-folder.ts';

const synths: readonly [app: string, context: Readonly<Record<string, unknown>>][] = [
  [apps.sample, {}],
  // It only adds to what the app has without.
  [apps.proof, { updated: true }],
  [apps.canary, {}],
  [apps.twoStacks, {}],
  [apps.orderJourney, {}],
];

/** The templates of all apps of the repository by the names of their stacks, a line for each resource. */
export async function goldenTemplates(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  return await withFolder('sagabox-golden-', async (directory) => {
    const found = await runTogether(
      signal,
      synths.map(([app, context], index) => async (own: AbortSignal) => {
        const folder = join(directory, String(index));
        await synthesize(app, folder, own, { ...context, ...withoutBundles });
        return await readTemplates<Readonly<Record<string, object>>>(folder);
      }),
    );
    return Object.fromEntries(found.flat().map(({ stack, template }) => [stack, normalized(template)]));
  });
}

function normalized(template: Readonly<Record<string, object>>): string {
  const sections = Object.entries(template).map(([section, content]) => {
    const members = Object.entries(content).map(([id, member]) => `"${id}":${JSON.stringify(member)}`);
    return `"${section}":{\n${members.join(',\n')}\n}`;
  });
  return withoutHashes(`{\n${sections.join(',\n')}\n}\n`);
}

/** Names of assets and of versions of functions follow the sources of the package. */
function withoutHashes(template: string): string {
  return (
    template
      .replace(/\b[0-9a-f]{64}\b/g, 'ASSET')
      // CDK Pipelines names the place that an asset is published to.
      .replace(/(ASSET:[\w-]+-)[0-9a-f]{8}\b/g, '$1PLACE')
      .replace(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1VERSION')
  );
}
