import { join } from 'node:path';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import { type AlarmSettings, EndpointMonitoring, MessageEndpoint, OutboxTable } from 'sagabox/constructs';

/** Raised within the ten minutes of the canary: by default, an alarm looks at 15 minutes. */
const withinTheCanary: AlarmSettings = {
  period: Duration.minutes(1),
  evaluationPeriods: 3,
  datapointsToAlarm: 2,
};

/**
 * An endpoint whose new versions handle a tenth of the batches for ten minutes, and then all. If one of its
 * alarms is raised in that time, CodeDeploy goes back to the former version, and the deployment fails.
 */
export class CanaryStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, props);
    const orders = new MessageEndpoint(this, 'Orders', {
      entry: join(import.meta.dirname, 'orders.ts'),
      outboxTable: new OutboxTable(this, 'OutboxTable'),
      // Lambda chooses a version for each invocation of the alias: small batches are shared more evenly.
      aliasName: 'live',
      batchSize: 5,
      // The examples import sagabox from its sources, without a build.
      bundling: { esbuildArgs: { '--conditions': 'sagabox-source' } },
    });
    const monitoring = new EndpointMonitoring(this, 'OrdersMonitoring', {
      endpoint: orders,
      alarms: {
        functionErrors: withinTheCanary,
        errors: { period: Duration.minutes(1) },
        deadLetters: { period: Duration.minutes(1) },
      },
    });
    if (orders.alias === undefined) throw new Error('The endpoint has an aliasName, and no alias');
    new LambdaDeploymentGroup(this, 'OrdersDeployment', {
      alias: orders.alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      alarms: monitoring.alarmsNamed('functionErrors', 'errors', 'deadLetters'),
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
  }
}
