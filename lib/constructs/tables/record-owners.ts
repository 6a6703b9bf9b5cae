import type { Construct } from 'constructs';
import { AppRegistry } from '../app-registry.ts';
import type { AnyTable } from '../construct-types.ts';
import { isCertainlySameTable } from './same-table.ts';

/** An endpoint that keeps outbox records. */
interface RecordOwner extends Construct {
  readonly endpointName: string;
  readonly outboxTable: AnyTable | undefined;
}

const owners = new AppRegistry<RecordOwner>();

export function addRecordOwner(endpoint: RecordOwner): void {
  owners.add(endpoint);
}

/** The other endpoints of the app with the same name that keep their records in the same outbox table. */
export function namesakesOf(endpoint: RecordOwner): readonly RecordOwner[] {
  const { endpointName, outboxTable } = endpoint;
  return owners
    .ofAppOf(endpoint)
    .filter(
      (other) =>
        other !== endpoint &&
        other.endpointName === endpointName &&
        isCertainlySameTable(other.outboxTable, outboxTable),
    );
}
