import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ending = '.template.json';

export interface TemplateFile<Template> {
  readonly stack: string;
  readonly file: string;
  readonly template: Template;
}

export function templateFile(assembly: string, stack: string): string {
  return join(assembly, `${stack}${ending}`);
}

/** All templates of an assembly, by stack; what is in them is not checked. */
export async function readTemplates<Template>(assembly: string): Promise<TemplateFile<Template>[]> {
  const stacks = (await readdir(assembly))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
  return await Promise.all(
    stacks.map(async (stack) => {
      const file = templateFile(assembly, stack);
      return { stack, file, template: JSON.parse(await readFile(file, 'utf8')) as Template };
    }),
  );
}
