import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../ops/systemd');

/** A unit of ops/systemd. */
export interface Unit {
  /** Its file. A template has an `@` in it. */
  readonly name: string;
  readonly text: string;
  /** The words of ExecStart; the first is the path of Node. */
  readonly command: readonly string[];
  /** What its Environment lines set, for the instance `%i`. */
  environment(instance: string): Record<string, string>;
}

/** Every service of ops/systemd. */
export function readUnits(): Unit[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.service'));
  return names.map((name) => unitOf(name, readFileSync(path.join(folder, name), 'utf8')));
}

function unitOf(name: string, text: string): Unit {
  const command = /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const words = Array.from(text.matchAll(/^Environment=(.*)$/gm)).flatMap(([, line = '']) => line.split(' '));
  return {
    name,
    text,
    command,
    environment: (instance) =>
      Object.fromEntries(
        words.map((word) => {
          const at = word.indexOf('=');
          return [word.slice(0, at), word.slice(at + 1).replace('%i', instance)];
        }),
      ),
  };
}
