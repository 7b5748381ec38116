import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { providerErrorCodes } from '@notify/channels';
import { messageErrors } from '@notify/contract';
import { errorDocs } from './error-docs.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('each code has one text in one list', () => {
  expect(Object.keys(messageErrors).filter((code) => code in providerErrorCodes)).toEqual([]);
});

test('every code that the source gives to a message is documented', async () => {
  const docs = errorDocs();
  const codes = new Set([...Object.keys(providerErrorCodes), ...(await writtenCodes())]);
  expect([...codes]).toEqual(expect.arrayContaining(['settings-changed', 'delivery-failed']));
  expect([...codes].filter((code) => !docs.includes(`\`${code}\`: `))).toEqual([]);
});

/** The codes that the source writes as an `errorCode`, directly or as a default if a provider names none. */
async function writtenCodes(): Promise<string[]> {
  const codes: string[] = [];
  for await (const file of glob('{apps,packages}/*/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|^packages.testkit/.test(file)) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    const written = text.matchAll(/errorCode: (?:[\w.]+ \?\? )?'([a-z-]+)'/g);
    codes.push(...Array.from(written, ([, code = '']) => code));
  }
  return codes;
}
