import { jest } from '@jest/globals';
import { describeWith } from '@notify/testkit';

/** A browser test has many steps, and each may be slow on a machine that has other things to do; this ends one that hangs. */
const hangsAfterMs = 180_000;
jest.setTimeout(hangsAfterMs);

/** `describe`, where there are a browser and a Redis for the service that it opens. */
export const describeInBrowser = describeWith('chromium', 'redis-server');
