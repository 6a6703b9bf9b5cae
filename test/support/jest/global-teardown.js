// As global-setup.js, of which it takes what runs.
export { default } from '../stop-engines.ts';
