import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { traces } from '@notify/telemetry';
import { keepSpans } from './keep-spans.ts';
import { findPrivate, toPrivate } from './private-contents.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'notify-spans-'))));
afterEach(() => rm(folder, { recursive: true }));

/** Sends one span with this outcome, as a process does, and searches what was kept. */
async function search(outcome: string) {
  const keeper = await keepSpans(folder);
  const started = await traces.start({
    endpoint: keeper.url,
    headers: null,
    process: 'api',
    version: '1.2.3',
    instanceId: 'instance',
    ratio: 1,
    onOutage: () => undefined,
  });
  const trace = traces.traceOfMessage('019abcde-f012-7345-8678-9abcdef01234', null);
  traces.span('call', { trace, beganAt: performance.now(), attributes: { 'notify.outcome': outcome } });
  await started.close();
  await keeper.close();
  expect(keeper.kept()).toBe(1);
  return findPrivate(folder, toPrivate('+15550012345'));
}

test('a number in a span is found', async () => {
  const found = [{ file: 'spans-1.jsonl', what: '+15550012345' }];
  expect(await search('refused by 15550012345')).toEqual(found);
});

test('nothing is found in a span without one', async () => {
  expect(await search('accepted')).toEqual([]);
});
