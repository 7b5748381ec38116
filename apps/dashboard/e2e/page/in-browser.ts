import { describeWith } from '@notify/testkit';

/** `describe`, where there are a browser and a Redis for the service that it opens. */
export const describeInBrowser = describeWith('chromium', 'redis-server');
