import type { Construct } from 'constructs';

/** Whether there is an archive, and whether it subscribes to what is published. */
type Archive = 'none' | 'subscribed' | 'unsubscribed';

interface OfficeUpdates {
  /** Whether the file of the audit's handler has its new name. */
  readonly renamed: boolean;
  readonly archive: Archive;
}

/** What the context `renamed` and `archive` say; an app that is `updated` has both. */
export function officeUpdates({ node }: Construct, updated: boolean): OfficeUpdates {
  const archive: Archive = node.tryGetContext('archive') ?? (updated ? 'subscribed' : 'none');
  return { renamed: updated || String(node.tryGetContext('renamed')) === 'true', archive };
}
