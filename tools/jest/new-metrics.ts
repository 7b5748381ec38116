import { metrics } from '@notify/telemetry';

// Modules live on from one test file to the next, and so would what they counted.
metrics.registry.resetMetrics();
