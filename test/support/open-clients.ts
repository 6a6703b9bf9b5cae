import { afterAll } from '@jest/globals';

/**
 * The clients that the tests of a file made by `engines.ts`. Jest loads this module ahead of each test file.
 */
export const openClients = new Set<{ destroy(): void }>();

afterAll(() => {
  for (const client of openClients) client.destroy();
  openClients.clear();
});
