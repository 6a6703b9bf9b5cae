/** `npm run build`. */
import { buildPackage } from './build-package.ts';

console.log(`The package is in ${await buildPackage()}`);
