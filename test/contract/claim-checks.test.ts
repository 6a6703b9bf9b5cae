import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe } from '@jest/globals';
import { S3ClaimChecks } from '../../lib/sending/claim-check/claim-checks.s3.ts';
import { MemoryClaimChecks } from '../../lib/testing/memory/claim-checks.ts';
import { s3Client } from '../support/engines.ts';
import { createBucket } from '../support/event-resources.ts';
import { type ClaimChecksSubject, describeClaimChecks, destinations } from './claim-checks.ts';

const client = s3Client();

async function openS3(thresholdBytes: number): Promise<ClaimChecksSubject> {
  const bucketName = await createBucket();
  const bodyOf = async (key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucketName, Key: key }));
    return (await Body?.transformToString()) ?? '';
  };
  const settings = { bucketName, thresholdBytes, destinations, loadClient: async () => client };
  return {
    claimChecks: (endpoint) => new S3ClaimChecks({ ...settings, endpoint }),
    bodies: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucketName }));
      const keys = Contents.map(({ Key = '' }) => Key);
      return Object.fromEntries(
        await Promise.all(keys.map(async (key) => [key, await bodyOf(key)] as const)),
      );
    },
    replace: async (key, body) => {
      const object = { Bucket: bucketName, Key: key };
      if (body === undefined) await client.send(new DeleteObjectCommand(object));
      else await client.send(new PutObjectCommand({ ...object, Body: Buffer.from(body) }));
    },
  };
}

async function openMemory(thresholdBytes: number): Promise<ClaimChecksSubject> {
  const bodies = new Map<string, string>();
  return {
    claimChecks: (endpoint) => new MemoryClaimChecks({ endpoint, thresholdBytes, destinations, bodies }),
    bodies: async () => Object.fromEntries(bodies),
    replace: async (key, body) => {
      if (body === undefined) bodies.delete(key);
      else bodies.set(key, body);
    },
  };
}

describe.each([
  ['on S3', openS3],
  ['in memory', openMemory],
])('claim checks %s', (_where, open) => describeClaimChecks(open));
