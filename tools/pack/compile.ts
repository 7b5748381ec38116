import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import type { Workspace } from './workspaces.ts';

/** `from '…'`, `import '…'` and `import('…')`. */
const specifiers = /\b(from\s*|import\s*\(?\s*)(['"])([^'"\n]+)\2/g;

/**
 * A source file as JavaScript, without types. Its imports name JavaScript files, and those of workspaces by their place,
 * because the package contains them as folders.
 */
export function compile(root: string, file: string, workspaces: readonly Workspace[]): string {
  const source = readFileSync(path.join(root, file), 'utf8');
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(source, { mode: 'strip' }) : source;
  return code.replace(
    specifiers,
    (_, before: string, quote: string, name: string) =>
      `${before}${quote}${resolved(name, file, workspaces)}${quote}`,
  );
}

function resolved(name: string, file: string, workspaces: readonly Workspace[]): string {
  if (name.startsWith('.')) return name.replace(/\.ts$/, '.js');
  if (!name.startsWith('@notify/')) return name;
  const target = sourceOf(name, workspaces);
  const relative = path.posix.relative(path.posix.dirname(file), target);
  return (relative.startsWith('.') ? relative : `./${relative}`).replace(/\.ts$/, '.js');
}

/** The file that an import of a workspace means, by the workspace's `exports`. */
function sourceOf(name: string, workspaces: readonly Workspace[]): string {
  const [scope, base, ...rest] = name.split('/');
  const workspace = workspaces.find(({ manifest }) => manifest.name === `${scope}/${base}`);
  const target = workspace?.manifest.exports?.[['.', ...rest].join('/')];
  if (workspace === undefined || target === undefined) throw new Error(`${name} is not in the package`);
  return path.posix.join(workspace.dir, target);
}
