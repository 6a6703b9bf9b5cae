import { matchesGlob } from 'node:path';

/** What a reader wants to do, with the pages for it. */
export interface PageGroup {
  readonly title: string;
  /** From the repository's root; a `*` stands for all pages of that name, by the alphabet. */
  readonly pages: readonly string[];
}

/** The order of the sidebar. A page that does not exist is left out; `test/docs/site.test.ts` asks for each that does. */
export const pageGroups: readonly PageGroup[] = [
  {
    title: 'Start',
    pages: [
      'docs/guide/getting-started.md',
      'docs/guide/guarantees.md',
      'docs/guide/testing.md',
      'docs/guide/local.md',
      'docs/guide/from-*.md',
    ],
  },
  {
    title: 'Build',
    pages: [
      'docs/guide/sagas.md',
      'docs/guide/messaging.md',
      'docs/guide/contracts.md',
      'docs/guide/timeouts.md',
      'docs/guide/sessions.md',
      'docs/guide/producer.md',
      'docs/guide/compensation.md',
      'docs/guide/scatter-gather.md',
      'docs/guide/appending.md',
      'docs/guide/custom-saga-store.md',
      'docs/guide/powertools.md',
    ],
  },
  { title: 'Examples', pages: ['examples/*/README.md'] },
  {
    title: 'Run',
    pages: [
      'docs/guide/deploying.md',
      'docs/guide/security.md',
      'docs/guide/audit.md',
      'docs/guide/recoverability.md',
      'docs/guide/relay.md',
      'docs/guide/operations.md',
      'docs/guide/tracing.md',
      'docs/guide/runbooks.md',
      'docs/guide/upgrading.md',
      'docs/guide/schema-evolution.md',
      'docs/guide/multi-region.md',
      'docs/guide/leaving.md',
    ],
  },
  {
    title: 'Grow',
    pages: [
      'docs/guide/concurrency.md',
      'docs/guide/embedded-outbox.md',
      'docs/guide/cost-and-scale.md',
      'docs/reference/capacity.md',
    ],
  },
  {
    title: 'Look up',
    pages: [
      'docs/reference/api.md',
      'docs/reference/options.md',
      'docs/reference/constructs.md',
      'docs/reference/cli.md',
      'docs/reference/errors.md',
      'docs/reference/stored-data.md',
      'docs/reference/engines.md',
    ],
  },
  {
    title: 'Understand',
    pages: [
      'docs/guide/outbox.md',
      'docs/design/architecture.md',
      'docs/design/saga-queue.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'SECURITY.md',
      'THIRD-PARTY.md',
    ],
  },
  {
    title: 'Proof',
    pages: [
      'docs/proof/benchmarks.md',
      'docs/proof/specification.md',
      'docs/proof/simulation.md',
      'docs/proof/soak.md',
      'docs/proof/deployment-proof.md',
      'docs/proof/hostile-inputs.md',
      'docs/proof/mutation-testing.md',
    ],
  },
];

/** The groups with the pages that exist, each `*` resolved. */
export function existingGroups(existing: readonly string[]): PageGroup[] {
  const sorted = existing.toSorted();
  return pageGroups
    .map(({ title, pages }) => ({
      title,
      pages: pages.flatMap((page) => sorted.filter((path) => matchesGlob(path, page))),
    }))
    .filter(({ pages }) => pages.length > 0);
}
