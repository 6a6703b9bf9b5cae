import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { entryPoints, publishedManifest, readManifest } from './manifest.ts';
import { packedFiles, packedPage } from './packed-page.ts';
import { repository } from './repository.ts';

/** Writes the package, as users install it, to `dist/`. @returns the folder, for `npm pack` and `npm publish` */
export async function buildPackage(): Promise<string> {
  const folder = join(repository, 'dist');
  const manifest = await readManifest();
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  await bundle(entryPoints(manifest), join(folder, 'lib'), manifest.homepage);
  await copyFile(join(repository, 'bin/sagabox.js'), join(folder, 'bin/sagabox.js'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  for (const name of packedFiles) {
    const content = await readFile(join(repository, name), 'utf8');
    await writeFile(join(folder, name), name.endsWith('.md') ? packedPage(content, manifest) : content);
  }
  return folder;
}
