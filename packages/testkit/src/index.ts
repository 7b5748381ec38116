export { adminUrlVariable, makeTemplate, type TestDatabase, testDatabase } from './databases.ts';
export { freePort } from './ports.ts';
export { type RunningRedis, startRedis } from './redis.ts';
export { makeTenant, type TestTenant, textItem } from './tenants.ts';
