import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrivate, searchFor, toPrivate } from './private-contents.ts';

const contents = ['+15550012345', 'chaos 1-17 "ü"', '7310000012', 'person_7310000012'].flatMap(toPrivate);
const search = searchFor(contents);

test.each([
  ['as it is', '{"to":"+15550012345"}', '+15550012345'],
  ['without its plus', 'to 15550012345.', '+15550012345'],
  ['percent-encoded', '/a?to=%2B15550012345&b', '+15550012345'],
  ['in a tel URL', 'tel:+15550012345', '+15550012345'],
  ['in JSON in JSON', JSON.stringify({ text: JSON.stringify('chaos 1-17 "ü"') }), 'chaos 1-17 "ü"'],
  ['as a form', 'Body=chaos+1-17+%22%C3%BC%22', 'chaos 1-17 "ü"'],
  ['at the very end', 'chat 7310000012', '7310000012'],
])('finds a content %s', (_, text, what) => {
  expect(search.in(text)).toEqual([what]);
});

test.each(['', 'a', 'ab', 'abc'])('finds a number in base64 behind %j', (before) => {
  const encoded = Buffer.from(`${before}15550012345 and more`).toString('base64');
  expect(search.in(`"${encoded}"`)).toEqual(['+15550012345']);
  expect(search.in(Buffer.from(`${before}+15550012345`).toString('base64url'))).toEqual(['+15550012345']);
});

test('a number inside a longer one, a fraction or an id is another one', () => {
  for (const text of ['173100000120', '0.7310000012', 'a7310000012', '7310000012f', '+15550012346'])
    expect(search.in(text)).toEqual([]);
});

test('searches every file but the log of Postgres', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-private-'));
  await writeFile(path.join(folder, 'api-1.log'), '{"msg":"request"}\n');
  await writeFile(path.join(folder, 'metrics-of-api.txt'), 'a{b="+15550012345"} 1\n');
  await writeFile(path.join(folder, 'postgres.log'), 'Key (recipient)=(+15550012345)\n');
  expect(await findPrivate(folder, contents)).toEqual([{ file: 'metrics-of-api.txt', what: '+15550012345' }]);
  await rm(folder, { recursive: true });
});
