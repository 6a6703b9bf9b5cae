import { join } from 'node:path';
import everyTest from '../../../jest.config.js';

/** What takes long, such as the proofs that the simulations find faults: `npm run proofs`. */
export default {
  ...everyTest,
  rootDir: join(import.meta.dirname, '../../..'),
  testMatch: ['<rootDir>/test/!(asyncapi)/**/*.proof.ts'],
};
