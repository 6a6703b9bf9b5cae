import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { AnyTable } from '../tables/any-table.ts';
import { isSameTable } from '../tables/same-table.ts';
import { grantOutboxAccess, grantSagaAccess, grantSharedAccess } from '../tables/table-access.ts';

interface EndpointTables {
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** Allows what the handlers of an endpoint do with its tables, which may be one. */
export function grantTables({ sagaTable, outboxTable }: EndpointTables, grantee: IGrantable): void {
  if (sagaTable !== undefined && isSameTable(sagaTable, outboxTable)) {
    grantSharedAccess(sagaTable, grantee);
    return;
  }
  if (sagaTable !== undefined) grantSagaAccess(sagaTable, grantee);
  if (outboxTable !== undefined) grantOutboxAccess(outboxTable, grantee);
}
