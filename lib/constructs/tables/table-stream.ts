import { Stack } from 'aws-cdk-lib';
import type { CfnGlobalTable, CfnTable, StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type { AnyTable } from '../construct-types.ts';
import { tableResource } from './table-schema.ts';

/** The stream of a table. */
export interface TableStream {
  readonly arn: string;
  /** What its records have; undefined where it is imported, which does not tell it. */
  readonly viewType: StreamViewType | undefined;
}

/** The stream of a table as the app tells it: of its own tables, and of imports that name it or refer to one. */
export function streamOf(table: AnyTable): TableStream | undefined {
  const resource = tableResource(table);
  const viewType = resource && viewTypeOf(resource);
  // A TableV2 has the ARN of a stream without one, too.
  const isOwn = resource !== undefined && resource === table.node.defaultChild;
  const given = isOwn ? undefined : table.tableStreamArn;
  const arn = given ?? (viewType && resource?.attrStreamArn);
  return arn === undefined ? undefined : { arn, viewType };
}

function viewTypeOf(resource: CfnTable | CfnGlobalTable): StreamViewType | undefined {
  return Stack.of(resource).resolve(resource.streamSpecification)?.streamViewType;
}
