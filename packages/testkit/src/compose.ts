import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../../..');

/** A service of a Compose file, as far as tests read it. */
export interface ComposeService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly expose?: readonly string[];
  readonly volumes?: readonly string[];
  readonly user?: string;
  readonly restart?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly stop_grace_period?: string;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly deploy?: { readonly replicas?: string | number };
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/**
 * A Compose file of this repository with its variables substituted (Compose, "Interpolation"). Throws where a variable is
 * required and `env` has none.
 */
export function readCompose(file: string, env: Readonly<Record<string, string>>): Compose {
  const text = readFileSync(path.join(root, file), 'utf8');
  return resolved(parse(text, { merge: true }), env) as Compose;
}

/** The variables of `.env.example`, with `changes`. */
export function exampleEnv(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  const lines = readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  return { ...Object.fromEntries(Array.from(lines, ([, name, value]) => [name!, value!])), ...changes };
}

function resolved(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return substituted(value, env);
  if (Array.isArray(value)) return value.map((one) => resolved(one, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, env)]));
}

/** `$$`, `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. A default may have variables of its own. */
function substituted(text: string, env: Readonly<Record<string, string>>): string {
  const at = text.indexOf('$');
  if (at < 0) return text;
  const [before, next] = [text.slice(0, at), text[at + 1]];
  if (next === '$') return `${before}$${substituted(text.slice(at + 2), env)}`;
  if (next !== '{') throw new Error(`Compose does not know ${text.slice(at)}`);
  const end = closingBrace(text, at + 2);
  return before + valueOf(text.slice(at + 2, end), env) + substituted(text.slice(end + 1), env);
}

function closingBrace(text: string, from: number): number {
  for (let at = from, depth = 1; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`a brace is not closed: ${text}`);
}

function valueOf(expression: string, env: Readonly<Record<string, string>>): string {
  const [, name = '', how = '', rest = ''] = /^(\w+)(?::([-?])(.*))?$/s.exec(expression) ?? [];
  if (name === '') throw new Error(`Compose does not know \${${expression}}`);
  const value = env[name] ?? '';
  if (value !== '') return value;
  if (how === '?') throw new Error(`${name}: ${rest}`);
  return substituted(rest, env);
}
