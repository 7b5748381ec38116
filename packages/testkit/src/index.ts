export { adminUrlVariable, makeTemplate, type TestDatabase, testDatabase } from './databases.ts';
export { freePort } from './ports.ts';
export { type OwnPostgres, startOwnPostgres } from './postgres.ts';
export { type Behaviour, type Received, type Receiver, startReceiver } from './receiver.ts';
export { type RunningRedis, startRedis } from './redis.ts';
export { makeTenant, type TestTenant, textItem } from './tenants.ts';
