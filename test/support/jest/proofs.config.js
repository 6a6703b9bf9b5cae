import { join } from 'node:path';
import everyTest from '../../../jest.config.js';

/** What takes long, and holds that the tests themselves find faults: `npm run proofs`. */
export default {
  ...everyTest,
  rootDir: join(import.meta.dirname, '../../..'),
  testMatch: ['<rootDir>/test/**/*.proof.ts', '<rootDir>/bench/**/*.proof.ts'],
};
