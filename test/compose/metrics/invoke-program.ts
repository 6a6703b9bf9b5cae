import { writeSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { invoke } from './invoke.ts';

/**
 * Invokes a handler with one batch, and writes its answer to stderr, so that stdout has what sagabox writes alone.
 * Arguments: the endpoint of DynamoDB, the table, and what is special.
 */
const [endpoint = '', tableName = '', special = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
if (special === 'stdout is destroyed') process.stdout.destroy();
const answer = await invoke(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }), tableName);
writeSync(2, JSON.stringify(answer));
