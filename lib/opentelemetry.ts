export { SEMANTIC_CONVENTIONS_VERSION as semanticConventionsVersion } from './adapters/opentelemetry/attributes.ts';
export { type OpenTelemetryOptions, openTelemetry } from './adapters/opentelemetry/open-telemetry.ts';
export type { Tracing } from './ports/tracing.ts';
