import type { DesignName } from '../designs.ts';
import type { DesignFigures } from '../measure/measure.ts';

/** What `--json` writes, and the guide's tables are made of. */
export interface ReportFigures {
  /** Of the run, as 2026-11-26. */
  readonly date: string;
  /** What DynamoDB was: `dynoxide 1.2.1`. */
  readonly engine: string;
  readonly designs: Readonly<Partial<Record<DesignName, DesignFigures>>>;
}
