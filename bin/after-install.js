// Runs after `npm ci`: removes the C headers of the package `node`, 67 MB of which nothing here is compiled.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/node/node_modules');
if (existsSync(packages)) {
  const ofPlatforms = readdirSync(packages).filter((name) => name.startsWith('node-'));
  for (const name of ofPlatforms) rmSync(join(packages, name, 'include'), { recursive: true, force: true });
}
