import { imagesOf, releaseOf, type Sources } from './release.ts';

const changelog = `# Changelog

## 1.3.0, unreleased

- More.

## 1.2.3, 2026-01-31

### For operators

- A proxy.

## 1.2.2, 2026-01-01

`;

const sources = (changes: Partial<Sources> = {}): Sources => ({
  tag: 'v1.2.3',
  allTags: ['v1.2.2', 'v1.2.3'],
  manifests: { 'package.json': '1.2.3', 'apps/api/package.json': '1.2.3' },
  changelog,
  ...changes,
});

test('the notes of a release are its section of the changelog', () => {
  expect(releaseOf(sources())).toEqual({
    version: '1.2.3',
    isPrerelease: false,
    tags: ['1.2.3', '1.2', 'latest'],
    notes: '### For operators\n\n- A proxy.\n',
  });
});

test.each([
  ['the newest version', ['v1.2.2', 'v1.1.9', 'v1.3.0-rc.1'], ['1.2.3', '1.2', 'latest']],
  ['a fix of an older minor version', ['v1.2.2', 'v1.10.0'], ['1.2.3', '1.2']],
  ['a tag that comes late', ['v1.2.4'], ['1.2.3']],
  ['a repository with other tags', ['', 'v1', 'vnext'], ['1.2.3', '1.2', 'latest']],
])('%s: its image tags', (_, others, tags) => {
  expect(releaseOf(sources({ allTags: [...others, 'v1.2.3'] })).tags).toEqual(tags);
});

test('a prerelease moves no tag', () => {
  const manifests = { 'package.json': '2.0.0-rc.1' };
  const changed = changelog.replace('1.2.3', '2.0.0-rc.1');
  const release = releaseOf(sources({ tag: 'v2.0.0-rc.1', manifests, changelog: changed }));
  expect([release.isPrerelease, release.tags]).toEqual([true, ['2.0.0-rc.1']]);
});

test.each([
  [{ tag: '1.2.3' }, '1.2.3 is not a version such as v1.2.3'],
  [{ tag: 'v1.2' }, 'v1.2 is not a version such as v1.2.3'],
  [{ tag: 'v1.2.3+4' }, 'v1.2.3+4 is not a version such as v1.2.3'],
  [
    { manifests: { 'package.json': '1.2.3', 'apps/api/package.json': '1.2.2' } },
    'not 1.2.3: apps/api/package.json (1.2.2)',
  ],
  [{ tag: 'v1.2.4', manifests: { 'package.json': '1.2.4' } }, 'CHANGELOG.md has no section 1.2.4'],
  [
    { tag: 'v1.3.0', manifests: { 'package.json': '1.3.0' } },
    'CHANGELOG.md has "1.3.0, unreleased": replace "unreleased" by the date of the release',
  ],
  [{ tag: 'v1.2.2', manifests: { 'package.json': '1.2.2' } }, 'CHANGELOG.md says nothing about 1.2.2'],
])('%j is refused', (changes, message) => {
  expect(() => releaseOf(sources(changes))).toThrow(message);
});

test('an owner with capitals has images in lower case, and each image its licence', () => {
  const images = imagesOf(['1.2.3', 'latest'], 'Acme');
  expect(images[0]).toEqual({
    target: 'notify',
    name: 'ghcr.io/acme/notify',
    tags: 'ghcr.io/acme/notify:1.2.3,ghcr.io/acme/notify:latest',
    licenses: 'Apache-2.0',
  });
  expect(images.find(({ target }) => target === 'whatsapp-sessions')?.licenses).toBe('GPL-3.0-or-later');
});
