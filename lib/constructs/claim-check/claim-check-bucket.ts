import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { assertNoRenamedSettings } from '../../core/checks/renamed-settings.ts';
import { claimCheckDefaults } from '../../core/claim-check/claim-check-defaults.ts';
import { defined } from '../../core/defined.ts';
import { SagaboxError } from '../../core/failures/errors.ts';

const SECONDS_PER_DAY = 86_400;
/** More than the 15 days of a message with the defaults of its endpoint, for those that are relayed late. */
const defaultRetention = Duration.days(21);

export interface ClaimCheckBucketProps {
  /** @default - CloudFormation makes one up */
  readonly bucketName?: string;

  /**
   * How long a body is kept. It must outlive every copy of its message: at least twice the `retention` and
   * the `deadLetterRetention` of each endpoint that uses the bucket, and its `deduplicationPeriod`, which is
   * checked at synth. Add the longest delay of messages with large bodies that wait in schedules.
   *
   * @default Duration.days(21)
   */
  readonly retention?: Duration;

  /** @default - a key of S3 */
  readonly encryptionKey?: IKey;

  /**
   * What happens to the bucket when it leaves the stack. To be destroyed it must be empty.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;

  /**
   * Empties the bucket when it is destroyed, by a function that CDK adds to the stack.
   *
   * @default false
   */
  readonly autoDeleteObjects?: boolean;
}

/**
 * Keeps the bodies that are too large to travel with their messages, and removes them after a time. All
 * endpoints that exchange such messages use the same one.
 *
 * @throws SagaboxError `Configuration` when the retention is not in whole days
 *
 * @example
 * ```ts
 * import { App, Duration, Stack } from 'aws-cdk-lib';
 * import { ClaimCheckBucket, MessageEndpoint } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const claimCheck = new ClaimCheckBucket(stack, 'Bodies', { retention: Duration.days(30) });
 * const billing = new MessageEndpoint(stack, 'Billing', { entry: 'lambdas/billing.ts', claimCheck });
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', claimCheck });
 * orders.sendsTo(billing);
 * ```
 */
export class ClaimCheckBucket extends Bucket {
  readonly retention: Duration;

  constructor(scope: Construct, id: string, props: ClaimCheckBucketProps = {}) {
    assertNoRenamedSettings(props);
    const retention = props.retention ?? defaultRetention;
    assertWholeDays(retention);
    super(scope, id, {
      ...defined({ bucketName: props.bucketName }),
      ...(props.encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: props.encryptionKey, bucketKeyEnabled: true }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ prefix: `${claimCheckDefaults.keyPrefix}/`, expiration: retention }],
      removalPolicy: props.removalPolicy ?? RemovalPolicy.RETAIN,
      autoDeleteObjects: props.autoDeleteObjects ?? false,
    });
    this.retention = retention;
  }
}

/** S3 removes objects once a day. */
function assertWholeDays(retention: Duration): void {
  if (retention.isUnresolved()) return;
  const seconds = retention.toSeconds();
  if (seconds >= SECONDS_PER_DAY && seconds % SECONDS_PER_DAY === 0) return;
  throw new SagaboxError('Configuration', {
    setting: 'retention',
    problem: `${seconds} s is no whole number of days`,
    remedy: 'Use at least 1 day, and whole days',
  });
}
