export { exportKinds, type ExportSink, exportTenant, leftOutOfExports } from './export-tenant.ts';
