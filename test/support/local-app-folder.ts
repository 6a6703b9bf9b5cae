import { afterEach, beforeEach } from '@jest/globals';
import { directoryOfTest } from './temporary-directory.ts';

/** Gives each test a folder, and its local app the DynamoDB engine of this test run. */
export function localAppFolder(): (name: string) => string {
  beforeEach(() => {
    process.env.SAGABOX_DYNAMODB_ENDPOINT = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT;
  });
  afterEach(() => {
    delete process.env.SAGABOX_DYNAMODB_ENDPOINT;
  });
  return directoryOfTest();
}
