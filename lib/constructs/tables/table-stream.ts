import type { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type { AnyTable } from '../any-resource.ts';
import { resourceOf, schemaOf } from './table-schema.ts';

/** The stream of a table. */
export interface TableStream {
  readonly arn: string;
  /** What its records have; undefined where it is imported, which does not tell it. */
  readonly viewType: StreamViewType | undefined;
}

/** The stream of a table as the app tells it: of its own tables, and of imports that name it or refer to one. */
export function streamOf(table: AnyTable): TableStream | undefined {
  const viewType = schemaOf(table)?.streamViewType;
  const arn = table.tableStreamArn ?? (viewType && resourceOf(table)?.attrStreamArn);
  return arn === undefined ? undefined : { arn, viewType };
}
