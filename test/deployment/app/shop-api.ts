import { CfnOutput, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType, type Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type ClaimCheckBucket, type OutboxTable, SendOnlyEndpoint } from 'sagabox/constructs';
import { bundling, handlerFile } from './endpoint-defaults.ts';

interface ShopApiProps {
  readonly outboxTable: OutboxTable;
  readonly claimCheck: ClaimCheckBucket;
  readonly ledger: Table;
}

/**
 * An HTTP API and a function URL by which orders are placed, each with a function of the user's own, as users
 * declare them: the sessions of both are those of one endpoint.
 */
export function shopApi(scope: Construct, { ledger, ...props }: ShopApiProps): SendOnlyEndpoint {
  const byApi = sessionFunction(scope, 'PlaceOrder', ledger);
  const byUrl = sessionFunction(scope, 'PlaceOrderByUrl', ledger);

  const http = new HttpApi(scope, 'Http');
  http.addRoutes({
    path: '/orders',
    methods: [HttpMethod.POST],
    integration: new HttpLambdaIntegration('PlaceOrder', byApi),
  });
  const forAll = 'The proof places its orders as anybody.';
  Validations.of(http).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG1',
    reason: 'The proof reads no logs.',
  });
  Validations.of(http).acknowledge({ id: 'AwsSolutions::AwsSolutions-APIG4', reason: forAll });
  const url = byUrl.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });

  new CfnOutput(scope, 'HttpApiId', { value: http.apiId });
  new CfnOutput(scope, 'FunctionUrl', { value: url.url });
  return new SendOnlyEndpoint(scope, 'ShopApi', { ...props, functions: [byApi, byUrl] });
}

/** Its role may write to its own log group, and what the endpoint and the proof add. */
function sessionFunction(scope: Construct, id: string, ledger: Table): LambdaFunction {
  const logGroup = new LogGroup(scope, `${id}LogGroup`, { removalPolicy: RemovalPolicy.DESTROY });
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  const handler = new NodejsFunction(scope, id, {
    entry: handlerFile('place-order'),
    runtime: Runtime.NODEJS_24_X,
    timeout: Duration.seconds(5),
    memorySize: 512,
    role,
    logGroup,
    environment: { LEDGER_TABLE: ledger.tableName },
    bundling: {
      ...bundling,
      format: OutputFormat.ESM,
      mainFields: ['module', 'main'],
      externalModules: ['@aws-sdk/*', '@smithy/*'],
    },
  });
  // What a session writes by itself is for its user to allow.
  ledger.grant(handler, 'dynamodb:UpdateItem');
  return handler;
}
