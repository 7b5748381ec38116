import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../docs/guides');

/** Languages whose blocks are programs. Their info string ends with the file name of the sample: "python send.py". */
const programs = ['sh', 'bash', 'js', 'ts', 'python', 'php', 'go', 'ruby', 'sql'];

/** A fenced code block of a guide. */
export interface GuideBlock {
  readonly language: string;
  /** The second word of the info string; empty if there is none. */
  readonly file: string;
  readonly code: string;
  /** The heading above the block, without its marks. */
  readonly heading: string;
}

/** A guide, with a record of the samples that a test has taken from it. */
export interface Guide {
  readonly text: string;
  readonly blocks: readonly GuideBlock[];
  /** The code of the sample with this file name. Throws unless there is exactly one. */
  take(file: string): string;
  /** The programs that no call of `take` has asked for, and those without a file name. */
  unused(): readonly string[];
}

/** Reads `docs/guides/<name>.md`. */
export function readGuide(name: string): Guide {
  const text = readFileSync(path.join(folder, `${name}.md`), 'utf8');
  const blocks = blocksOf(text);
  const taken = new Set<string>();
  return {
    text,
    blocks,
    take(file) {
      const found = blocks.filter((block) => block.file === file);
      if (found.length !== 1) throw new Error(`${name}.md has ${found.length} samples named ${file}`);
      taken.add(file);
      return found[0]!.code;
    },
    unused: () =>
      blocks
        .filter(({ language, file }) => programs.includes(language) && !taken.has(file))
        .map(({ language, file, heading }) => `${heading}: ${language} ${file}`),
  };
}

function blocksOf(text: string): GuideBlock[] {
  const parts = text.matchAll(/^#+ (?<title>[^\n]+)$|^```(?<info>[^\n`]*)\n(?<code>.*?)^```$/gms);
  let heading = '';
  const blocks: GuideBlock[] = [];
  for (const { groups = {} } of parts) {
    if (groups.title !== undefined) heading = groups.title;
    else blocks.push({ ...infoOf(groups.info ?? ''), code: groups.code ?? '', heading });
  }
  return blocks;
}

function infoOf(info: string): { language: string; file: string } {
  const [language = '', file = ''] = info.trim().split(/\s+/);
  return { language, file };
}
