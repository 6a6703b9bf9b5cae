import type { LocalResource } from '../app/resources/model.ts';
import { provisioningCall } from './call.ts';

/** Creates the declared buckets. Their lifecycle rules do not run: the objects last as long as the app. */
export async function provisionBuckets(endpoint: string, resources: readonly LocalResource[]): Promise<void> {
  for (const { name } of resources.filter(({ type }) => type === 'AWS::S3::Bucket')) {
    await provisioningCall(name, `${endpoint}/${name}`, { method: 'PUT' });
  }
}
