import { readFile, writeFile } from 'node:fs/promises';
import { readTemplates, templateFile } from '../cdk/templates.ts';
import type { PolicyTarget } from './deployed-policy.ts';
import { type Statement, statementsOf, type Template, withoutStatement } from './statement.ts';

/** All statements of an assembly's templates, in the order of their names. */
export async function readStatements(assembly: string): Promise<Statement[]> {
  const templates = await readTemplates<Template>(assembly);
  return templates
    .flatMap(({ stack, template }) => statementsOf(stack, template))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Takes a statement out of an assembly before it is deployed. */
export async function takeOut(assembly: string, statement: Statement): Promise<void> {
  const file = templateFile(assembly, statement.stack);
  const template = JSON.parse(await readFile(file, 'utf8')) as Template;
  await writeFile(file, JSON.stringify(withoutStatement(template, statement), null, 1));
}

/** What each policy of the templates is attached to, by stack and logical id. */
export async function readPolicyTargets(assembly: string): Promise<Map<string, PolicyTarget>> {
  const targets = new Map<string, PolicyTarget>();
  for (const { stack, template } of await readTemplates<Template>(assembly)) {
    for (const [policy, { Properties = {} }] of Object.entries(template.Resources)) {
      const { Roles = [], Queues = [], PolicyName: policyName = '' } = Properties;
      const owner = (Roles[0] ?? Queues[0])?.Ref;
      if (owner !== undefined) targets.set(`${stack}/${policy}`, { owner, policyName });
    }
  }
  return targets;
}
