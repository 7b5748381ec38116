import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ServiceHere, startServiceHere } from '@notify/testkit';
import { cutSends } from './cut-sends.ts';

let service: ServiceHere;

beforeAll(async () => {
  service = await startServiceHere({ env: { BCRYPT_COST: '4', SESSION_RATE_PER_MINUTE: '100000' } });
});
afterAll(() => service.stop());

test('each send makes one message, whatever byte its connection is cut at', async () => {
  const report = await cutSends({ url: service.url, lanes: 32 });
  expect(report).toMatchObject({
    sends: report.requestBytes + 1 + report.responseBytes,
    rejected: [],
    missing: [],
    duplicated: [],
    misreported: [],
    // The end of the request is the beginning of the response.
    places: report.requestBytes + report.responseBytes,
  });
  // One more than the sends: the one that was measured.
  expect(report.statuses).toEqual({ delivered: report.sends + 1 });
});
