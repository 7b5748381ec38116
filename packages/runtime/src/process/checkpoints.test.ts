import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { checkpoints, reached } from './checkpoints.ts';

test('a listener receives its own checkpoint when it is reached, and no other', () => {
  const heard: unknown[] = [];
  const listen = (told: unknown): void => void heard.push(told);
  subscribe('notify.dispatch-claimed', listen);
  reached('dispatch-claimed');
  reached('dispatch-calling');
  unsubscribe('notify.dispatch-claimed', listen);
  reached('dispatch-claimed');
  expect(heard).toEqual(['dispatch-claimed']);
});

test('docs/inspect.md lists exactly these checkpoints, with where and when each is reached', async () => {
  const text = await readFile(new URL('../../../../docs/inspect.md', import.meta.url), 'utf8');
  const rows = Array.from(text.matchAll(/^- `notify\.(\S+)` \((.+?)\): (.+)$/gm), ([, ...row]) => row);
  const expected = Object.entries(checkpoints).map(([checkpoint, at]) => [
    checkpoint,
    at.in.map((process) => `\`${process}\``).join(', '),
    at.when,
  ]);
  expect(rows).toEqual(expected);
});
