import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { app } from './inputs.ts';

/** The file that the page links to. */
export const licencesFile = 'third-party-licenses.txt';

interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** SPDX. */
  readonly licence: string;
  readonly text: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** Helpers that the bundler adds of itself have no file, and belong to these packages. */
const helpers = [
  ['\0vite/', 'vite'],
  ['\0rolldown/', 'rolldown'],
] as const;
/** Packages whose script is served beside the bundle: see reference.ts. */
const besides = ['@scalar/fastify-api-reference'];
/** What Vite says from there on is about packages inside of Vite, which stay where they are. */
const ofBundled = /^# Licenses of bundled dependencies$/m;

/**
 * Writes the licences of all packages that a module, style sheet or font of the bundle comes from, with their notices.
 * The build fails where a package says neither under which licence it is, nor in which words.
 */
export function licences(): Plugin {
  return {
    name: 'notify:licences',
    async generateBundle(_options, bundle) {
      const folders = new Set(
        await Promise.all(besides.map((name) => packageAt(path.dirname(pathOf(name))))),
      );
      // A font that a style sheet names is no module.
      const assets = Object.values(bundle).flatMap((part) =>
        part.type === 'asset' ? part.originalFileNames : [],
      );
      for (const id of [...this.getModuleIds(), ...assets.map((name) => path.resolve(app, name))]) {
        const folder = await folderOf(id);
        if (folder !== null) folders.add(folder);
      }
      const parties = await Promise.all(Array.from(folders, thirdParty));
      this.emitFile({ type: 'asset', fileName: licencesFile, source: written(parties) });
    },
  };
}

/** The folder of the package that a module belongs to; null for our own. */
async function folderOf(id: string): Promise<string | null> {
  const helper = helpers.find(([prefix]) => id.startsWith(prefix));
  if (helper !== undefined) return packageAt(path.dirname(pathOf(helper[1])));
  const [file = ''] = id.replace(/^\0/, '').split('?');
  return file.includes('/node_modules/') ? packageAt(path.dirname(file)) : null;
}

function pathOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

/** The nearest folder above with a package.json that has a name: those without say how to load the files beside them. */
async function packageAt(folder: string): Promise<string> {
  const manifest = await manifestIn(folder);
  if (manifest?.name !== undefined && manifest.version !== undefined) return folder;
  if (folder === path.dirname(folder)) throw new Error(`${folder} belongs to no package`);
  return packageAt(path.dirname(folder));
}

async function manifestIn(folder: string): Promise<Manifest | null> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Manifest);
}

async function thirdParty(folder: string): Promise<ThirdParty> {
  const { name = '', version = '', license = '', author = '' } = (await manifestIn(folder))!;
  const names = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying|ofl)\b/i.test(file));
  const texts = await Promise.all(names.toSorted().map((file) => readFile(path.join(folder, file), 'utf8')));
  const given = texts.map((one) => one.split(ofBundled)[0]!.trim()).join('\n\n');
  const holder = typeof author === 'string' ? author.replace(/ *[<(].*$/, '') : author.name;
  const text = given === '' && /\bMIT\b/.test(license) && holder !== '' ? mit(holder) : given;
  if (license === '' || text === '') throw new Error(`${name} does not carry its licence: ${folder}`);
  return { name, version, licence: license, text };
}

/** Its words (https://spdx.org/licenses/MIT.html), for packages that name the licence and leave them out. */
function mit(holder: string): string {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

function written(parties: readonly ThirdParty[]): string {
  const line = '='.repeat(80);
  const sections = parties
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'))
    .map(({ name, version, licence, text }) => `${line}\n${name} ${version} (${licence})\n\n${text}\n`);
  return `This dashboard contains the following software of third parties.\n\n${sections.join('\n')}`;
}
