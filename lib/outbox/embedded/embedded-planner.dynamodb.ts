import type { Update } from '@aws-sdk/client-dynamodb';
import { keyAttributes } from '../../dynamodb/item-attributes.ts';
import { sagaKey } from '../../dynamodb/keys.ts';
import type { PlanEmbedded } from '../commit/planned-write.dynamodb.ts';
import { type EmbeddedTargets, embeddedUpdate } from './embedded-update.dynamodb.ts';
import { maxItemBytes } from './embedded-write.ts';
import type { StatementBatcher } from './statement-batcher.dynamodb.ts';

export interface EmbeddedPlannerOptions extends EmbeddedTargets {
  /** The batcher that planners share for commits of single items. @default - each commit has its own call */
  readonly statements?: StatementBatcher;
}

/** Returns the planner of the writes of items with an embedded outbox. */
export function embeddedPlanner({ statements, ...targets }: EmbeddedPlannerOptions): PlanEmbedded {
  const { table } = targets;
  const { tableName } = table;
  return (write, commitId) => {
    const { saga, read, state } = write;
    const { update, itemBytes } = embeddedUpdate(write, targets, commitId);
    const { partition } = sagaKey(saga);
    const key = keyAttributes(table, sagaKey(saga));
    return {
      role: 'embedded',
      item: { Update: { TableName: tableName, Key: key, ...update.expressions } as Update },
      saga: { kind: read ? 'update' : 'create', saga },
      itemBytes,
      maximumBytes: maxItemBytes(typeof state === 'object'),
      async writeInBatch({ meter, bytes, terms }) {
        if (statements === undefined) return 'alone';
        const statement = read ? update.statement(tableName, key) : update.insertion(tableName, key);
        if (statement === undefined) return 'alone';
        const itemId = `${tableName} ${partition}`;
        const assertOngoing = () => terms?.assertOngoing();
        return await statements.write({ statement, tableName, itemId, bytes, meter, assertOngoing });
      },
    };
  };
}
