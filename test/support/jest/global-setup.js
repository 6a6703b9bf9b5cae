// What is no TypeScript, and what it imports, is loaded by Node as it is; Jest would load it by its own transforms.
export { default } from '../start-engines.ts';
