import path from 'node:path';
import { describeWith, type Program } from '@notify/testkit';

/** A language of the guides. `run` is the command for a file of it, and its samples need the program `needs`. */
interface Language {
  readonly extension: string;
  readonly run: readonly [string, ...string[]];
  readonly needs?: Program;
}

/** Builds and becomes the program, so that a signal reaches it. `go run` would start it as a child. */
const goProgram = 'go build -o "${0%.go}" "$0" && exec "./${0%.go}"';

const languages = {
  shell: { extension: '.sh', run: ['bash', '-euo', 'pipefail'], needs: 'curl' },
  JavaScript: { extension: '.mjs', run: [process.execPath] },
  Python: { extension: '.py', run: ['python3'], needs: 'python3' },
  PHP: { extension: '.php', run: ['php'], needs: 'php' },
  Go: { extension: '.go', run: ['sh', '-c', goProgram], needs: 'go' },
  Ruby: { extension: '.rb', run: ['ruby'], needs: 'ruby' },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;

const names = Object.keys(languages) as LanguageName[];

const needsOf = (name: LanguageName): readonly Program[] => {
  const { needs }: Language = languages[name];
  return needs === undefined ? [] : [needs];
};

/** The programs that the samples in all languages need. */
export const everyLanguage: readonly Program[] = names.flatMap(needsOf);

/** `describe` for each language but those in `except`. A language that is not installed is skipped, as `describeWith` says. */
export function describeInEach(
  title: string,
  tests: (language: LanguageName) => void,
  except: readonly LanguageName[] = [],
): void {
  for (const name of names.filter((each) => !except.includes(each)))
    describeWith(...needsOf(name))(`${title} ${name}`, () => tests(name));
}

/** The name of the sample in a language: `send` in Python is `send.py`. */
export function fileIn(language: LanguageName, name: string): string {
  return name + languages[language].extension;
}

/** The command that runs a file, by its extension. */
export function commandFor(file: string): readonly [string, ...string[]] {
  const found = Object.values(languages).find(({ extension }) => extension === path.extname(file));
  if (found === undefined) throw new Error(`no language for ${file}`);
  return found.run;
}
