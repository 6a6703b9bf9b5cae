export type { Tracing } from '../sending/tracing.ts';
export { SEMANTIC_CONVENTIONS_VERSION as semanticConventionsVersion } from './attributes.ts';
export { type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
