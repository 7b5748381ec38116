export { openClient, openPool } from './pool.ts';
export { openServers, type ServerChange } from './servers.ts';
