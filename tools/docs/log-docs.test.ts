import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { components, knownEvents } from '@notify/runtime';
import { logDocs } from './log-docs.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('every event of the catalogue is told somewhere', async () => {
  const told = new Set(await writtenTexts());
  expect([...knownEvents.keys()].filter((name) => !told.has(name))).toEqual([]);
});

/** All short texts in quotes in the source of processes, except in the catalogue itself. */
async function writtenTexts(): Promise<string[]> {
  const texts: string[] = [];
  for await (const file of glob('{apps,packages}/*/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|^packages.testkit|^packages.runtime.src.logs.events/.test(file)) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    texts.push(...Array.from(text.matchAll(/'([a-z-]+)'/g), ([, name = '']) => name));
  }
  return texts;
}

test('the document has each component with its events, and an example of a line', async () => {
  const docs = await logDocs();
  const parts = docs.split(/^## /m);
  for (const component of components) {
    const part = parts.find((one) => one.startsWith(`\`${component}\``)) ?? '';
    const [, example = ''] = /```text\n(.*)\n```/.exec(part) ?? [];
    expect(JSON.parse(example)).toMatchObject({
      component,
      level: expect.any(String),
      msg: expect.any(String),
    });
    for (const [name, event] of knownEvents)
      expect([name, part.includes(`- \`${name}\``)]).toEqual([name, event.component === component]);
  }
});
