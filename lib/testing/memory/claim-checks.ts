import {
  type ClaimCheck,
  type ClaimCheckStorage,
  claimCheckNotFound,
} from '../../sending/claim-check/claim-check.ts';
import { ClaimCheckStore } from '../../sending/claim-check/claim-check-store.ts';

export interface MemoryClaimChecksOptions extends Omit<ClaimCheckStorage, 'bucketName'> {
  /** The bodies by their keys, where several endpoints share them. */
  bodies?: Map<string, string>;
}

/** Keeps large bodies in memory. */
export class MemoryClaimChecks extends ClaimCheckStore {
  readonly bodies: Map<string, string>;

  constructor({ bodies = new Map(), ...storage }: MemoryClaimChecksOptions) {
    super({ bucketName: 'memory', ...storage });
    this.bodies = bodies;
  }

  protected override async put(claimChecks: readonly ClaimCheck[]): Promise<void> {
    for (const { key, json } of claimChecks) this.bodies.set(key, json);
  }

  protected override async get(key: string, messageId: string): Promise<Uint8Array> {
    const json = this.bodies.get(key);
    if (json === undefined) throw claimCheckNotFound(messageId, key, 'there is none');
    return Buffer.from(json);
  }
}
