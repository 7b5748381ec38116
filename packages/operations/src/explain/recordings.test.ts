import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const docs = path.resolve(import.meta.dirname, '../../../../docs/inspect.md');

/** The pieces of text between the figures of every sentence that the sources can say, longest first. */
async function piecesOfSources(): Promise<string[]> {
  const files = (await readdir(import.meta.dirname)).filter((name) => !name.endsWith('.test.ts'));
  const texts = await Promise.all(
    files.map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')),
  );
  const pieces = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^\s*(\*|\/\*|\/\/|import )/.test(line))
    .flatMap((line) => line.split(/['"`{}$]/))
    .map((piece) => piece.replace(/^[;:,.)]+ /, '').trim())
    .filter((piece) => /^[^()=;<>]*[a-z]{2}(; |[^=;<>])*$/i.test(piece));
  return [...new Set(pieces)].toSorted((a, b) => b.length - a.length);
}

/** Recorded explanations: the paragraphs below the head of each, on one line. */
async function recordings(): Promise<string[]> {
  const text = await readFile(docs, 'utf8');
  return [...text.matchAll(/<!-- recorded: explain-\S+ -->\n\n```text\n([^]*?)\n```/g)].map(
    ([, block = '']) => block.split('\n\n').slice(1).join(' ').replaceAll(/\s+/g, ' '),
  );
}

/** What is left of a recording without its figures, times, names and the words of the sources, which may have an `s`. */
function unknownWords(recording: string, pieces: readonly string[]): string[] {
  let text = recording
    .replaceAll(/\([^)]*\)|\b(wh|msg)_\S+|message\.\w+|dispatch-worker|mars\b/g, '#')
    .replaceAll(/\d[\d.]* (s|min|h|d)\b/g, '#');
  for (const piece of pieces) {
    const literal = piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    text = text.replaceAll(new RegExp(`(?<![a-z])${literal}s?(?![a-z])`, 'gi'), '#');
  }
  return text.match(/[a-z]{2,}/gi) ?? [];
}

test('the recorded explanations of docs/inspect.md have the words of today', async () => {
  const pieces = await piecesOfSources();
  const all = await recordings();
  expect(all).toHaveLength(2);
  for (const one of all) expect(unknownWords(one, pieces)).toEqual([]);
  expect(
    unknownWords('About 18 messages of the account are before it. It goes on in 9 min.', pieces),
  ).toEqual(expect.arrayContaining(['About', 'before']));
});
