import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EventBody } from '@notify/contract';
import { webhookWaitsMs } from '@notify/core';

const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/events.md'), 'utf8');

test('the page describes every field of the body and no other; its example has those that are always there', () => {
  const table = page.slice(page.indexOf('## The body'), page.indexOf('### Messages that people write'));
  const described = [...table.matchAll(/^- `(\w+)`:/gm)].map((match) => match[1]);
  expect(described).toEqual(Object.keys(EventBody.properties));
  const example = JSON.parse(/```json\n(.*?)```/s.exec(table)![1]!) as object;
  expect(Object.keys(example)).toEqual(EventBody.required);
});

test('the page names the waits of the schedule', () => {
  const units: readonly [string, number][] = [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ];
  const written = webhookWaitsMs.map((ms) => {
    const [unit, size] = units.find(([, size]) => ms % size === 0)!;
    return `${ms / size} ${unit}`;
  });
  const text = page.replaceAll('\n', ' ').replaceAll(/ +/g, ' ');
  expect(text).toContain(`${written.slice(0, -1).join(', ')} and ${written.at(-1)} later`);
});
