export { type EmbeddedDatabase, embeddedDatabase } from './embedded-database.ts';
export { claimPort, freePort } from './ports.ts';
export { type PostgresOptions, type RunningPostgres, startPostgres } from './postgres/server.ts';
