import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PolicyTarget } from './deployed-policy.ts';
import { type Statement, statementsOf, type Template, withoutStatement } from './statement.ts';

const ending = '.template.json';

/** All statements of an assembly's templates, in the order of their names. */
export async function readStatements(assembly: string): Promise<Statement[]> {
  const files = (await readdir(assembly)).filter((file) => file.endsWith(ending));
  const all = await Promise.all(
    files.map(async (file) => {
      const template = JSON.parse(await readFile(join(assembly, file), 'utf8')) as Template;
      return statementsOf(file.slice(0, -ending.length), template);
    }),
  );
  return all.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Takes a statement out of an assembly before it is deployed. */
export async function takeOut(assembly: string, statement: Statement): Promise<void> {
  const file = join(assembly, `${statement.stack}${ending}`);
  const template = JSON.parse(await readFile(file, 'utf8')) as Template;
  await writeFile(file, JSON.stringify(withoutStatement(template, statement), null, 1));
}

/** What each policy of the templates is attached to, by stack and logical id. */
export async function readPolicyTargets(assembly: string): Promise<Map<string, PolicyTarget>> {
  const files = (await readdir(assembly)).filter((file) => file.endsWith(ending));
  const targets = new Map<string, PolicyTarget>();
  for (const file of files) {
    const stack = file.slice(0, -ending.length);
    const template = JSON.parse(await readFile(join(assembly, file), 'utf8')) as Template;
    for (const [policy, { Properties = {} }] of Object.entries(template.Resources)) {
      const { Roles = [], Queues = [], PolicyName: policyName = '' } = Properties;
      const owner = (Roles[0] ?? Queues[0])?.Ref;
      if (owner !== undefined) targets.set(`${stack}/${policy}`, { owner, policyName });
    }
  }
  return targets;
}
