import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../../support/source-files.ts';
import { withFolder } from '../../support/with-folder.ts';

export const lambdas = join(repository, 'lambdas');
/** The modules of the sample app. */
export const sample = ['contracts', 'orders', 'billing', 'shipping'].map((name) =>
  join(lambdas, `${name}.ts`),
);

/** Modules of a project, in a folder of their own: they get the packages by their paths. */
export const inModules = (
  sources: Readonly<Record<string, string>>,
  work: (paths: Readonly<Record<string, string>>) => Promise<void>,
) =>
  withFolder('sagabox-contracts-', async (folder) => {
    const paths: Record<string, string> = {};
    for (const [name, source] of Object.entries(sources)) {
      const path = join(folder, `${name}.mjs`);
      paths[name] = path;
      await writeFile(
        path,
        Object.entries(modules).reduce(
          (code, [module, from]) => code.replace(`'${module}'`, `'${from}'`),
          source,
        ),
      );
    }
    await work(paths);
  });

const modules = {
  sagabox: join(repository, 'lib/index.ts'),
  zod: join(repository, 'node_modules/zod/index.js'),
  valibot: join(repository, 'node_modules/valibot/dist/index.mjs'),
};

export const oddContracts = `
  import { defineContract } from 'sagabox';
  import { z } from 'zod';
  const standard = { version: 1, vendor: 'own', validate: (value) => ({ value }) };
  export const odd = defineContract('a b/c~d', {
    'com.example/Placed~1': z.object({ at: z.string().transform(Number) }),
    Dated: z.object({ at: z.date() }),
    Own: { '~standard': standard },
  });
  export const more = defineContract('a b/c~d', { More: z.object({}) }, { replies: { Done: z.null() } });
`;

/** Their JSON Schemas refer to parts of themselves, and to themselves. */
export const reusingContracts = `
  import { defineContract } from 'sagabox';
  import { z } from 'zod';
  import * as v from 'valibot';
  const line = z.object({ sku: z.string() }).meta({ id: 'Line' });
  const tree = z.object({ name: z.string(), get children() { return z.array(tree); } });
  const one = z.object({ one: z.string() }).meta({ id: 'Part/a' });
  const two = z.object({ two: z.string() }).meta({ id: 'Part~a' });
  const valibotTree = v.object({ name: v.string(), children: v.array(v.lazy(() => valibotTree)) });
  export const parts = defineContract('parts', {
    Named: z.object({ first: one, second: two }),
    Nested: z.object({ lines: z.array(line), first: line, tree }),
    Tree: tree,
    ValibotTree: valibotTree,
  });
`;
