import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** A language of the guides. `run` is the command for a file of it, `check` one that succeeds where it is installed. */
interface Language {
  readonly extension: string;
  readonly run: readonly [string, ...string[]];
  readonly check: readonly [string, ...string[]];
}

/** Builds and becomes the program, so that a signal reaches it. `go run` would start it as a child. */
const goProgram = 'go build -o "${0%.go}" "$0" && exec "./${0%.go}"';

const languages = {
  shell: { extension: '.sh', run: ['bash', '-euo', 'pipefail'], check: ['curl', '--version'] },
  JavaScript: { extension: '.mjs', run: [process.execPath], check: [process.execPath, '--version'] },
  Python: { extension: '.py', run: ['python3'], check: ['python3', '--version'] },
  PHP: { extension: '.php', run: ['php'], check: ['php', '--version'] },
  Go: { extension: '.go', run: ['sh', '-c', goProgram], check: ['go', 'version'] },
  Ruby: { extension: '.rb', run: ['ruby'], check: ['ruby', '-r', 'webrick', '-e', ''] },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;

const names = Object.keys(languages) as LanguageName[];
const isInstalled = (name: LanguageName) => {
  const [command, ...args] = languages[name].check;
  return spawnSync(command, args).status === 0;
};

/** The languages that samples run in here. In CI all of them must be installed: otherwise this throws. */
export function installedLanguages(): readonly LanguageName[] {
  const installed = names.filter(isInstalled);
  const missing = names.filter((name) => !installed.includes(name));
  if (missing.length > 0 && process.env.CI !== undefined) {
    throw new Error(`not installed: ${missing.join(', ')}. CI runs the guides' samples in every language.`);
  }
  if (missing.length > 0) console.warn(`samples not run, because not installed: ${missing.join(', ')}`);
  return installed;
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
