import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes stacks as `cdk synth` does: their templates, by name, and the manifest that lists them. */
export async function writeAssembly(
  folder: string,
  templates: Readonly<Record<string, object | string>>,
  version = '55.0.0',
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const artifacts: Record<string, object> = {};
  for (const [name, template] of Object.entries(templates)) {
    const templateFile = `${name}.template.json`;
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile },
    };
    const text = typeof template === 'string' ? template : JSON.stringify(template);
    await writeFile(join(folder, templateFile), text);
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ version, artifacts }));
}
