import proofs from './proofs.config.js';

/** Proofs that need packages of their own folder: `npm run proofs:full`. */
export default {
  ...proofs,
  testMatch: ['<rootDir>/bench/**/*.proof.ts', '<rootDir>/test/asyncapi/**/*.proof.ts'],
};
