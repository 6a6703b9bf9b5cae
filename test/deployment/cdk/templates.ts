import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const ending = '.template.json';

export interface TemplateFile<Template> {
  readonly stack: string;
  readonly file: string;
  readonly template: Template;
}

export function templateFile(assembly: string, stack: string): string {
  return join(assembly, `${stack}${ending}`);
}

/** All templates of an assembly, those of its stages included, by stack; what is in them is not checked. */
export async function readTemplates<Template>(assembly: string): Promise<TemplateFile<Template>[]> {
  const names = await readdir(assembly, { recursive: true });
  const files = names.filter((name) => name.endsWith(ending)).map((name) => join(assembly, name));
  return await Promise.all(
    files.sort().map(async (file) => {
      const template = JSON.parse(await readFile(file, 'utf8')) as Template;
      return { stack: basename(file, ending), file, template };
    }),
  );
}
