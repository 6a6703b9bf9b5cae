import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/**
 * Gives each test a folder, and its local app the DynamoDB engine of this test run. @returns the path of a
 * file in it
 */
export function localAppFolder(): (name: string) => string {
  let folder = '';
  beforeEach(() => {
    process.env.SAGABOX_DYNAMODB_ENDPOINT = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT;
    folder = mkdtempSync(join(tmpdir(), 'sagabox-app-'));
  });
  afterEach(() => {
    delete process.env.SAGABOX_DYNAMODB_ENDPOINT;
    rmSync(folder, { recursive: true, force: true });
  });
  return (name) => join(folder, name);
}
