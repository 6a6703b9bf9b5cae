export { stopKeptEngines as default } from './running-engines.ts';
