/** A version without build metadata (SemVer 2.0.0): a tag of an image cannot have a `+`. */
interface Version {
  readonly numbers: readonly [number, number, number];
  /** Null for a stable version. */
  readonly prerelease: string | null;
}

function parseVersion(text: string): Version | null {
  const [whole, major, minor, patch, prerelease] =
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\w.-]+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease: prerelease ?? null };
}

/** What a release is made of. */
export interface Release {
  readonly version: string;
  /** A version such as `1.2.3-rc.1`, which is nobody's default. */
  readonly isPrerelease: boolean;
  /** The tags of its images, without a name. */
  readonly tags: readonly string[];
  /** Markdown: the section of the version in the changelog. */
  readonly notes: string;
}

export interface Sources {
  /** The Git tag, `v1.2.3`. */
  readonly tag: string;
  /** All Git tags. */
  readonly allTags: readonly string[];
  /** The version of every package.json, by its path. */
  readonly manifests: Readonly<Record<string, string>>;
  readonly changelog: string;
}

/** The release of this tag. Throws an error for a person if the sources do not agree with the tag. */
export function releaseOf({ tag, allTags, manifests, changelog }: Sources): Release {
  const version = tag.replace(/^v/, '');
  const parsed = parseVersion(version);
  if (parsed === null || tag === version) throw new Error(`${tag} is not a version such as v1.2.3`);
  const others = Object.entries(manifests).filter(([, one]) => one !== version);
  if (others.length > 0)
    throw new Error(`not ${version}: ${others.map(([file, one]) => `${file} (${one})`).join(', ')}`);
  return {
    version,
    isPrerelease: parsed.prerelease !== null,
    tags: imageTags(version, parsed, allTags),
    notes: notesOf(changelog, version),
  };
}

/** `1.2.3`; `1.2` if it is the newest stable 1.2; `latest` if it is the newest stable version of all. */
function imageTags(text: string, version: Version, allTags: readonly string[]): string[] {
  if (version.prerelease !== null) return [text];
  const stable = allTags.flatMap((tag) => parseVersion(tag.replace(/^v/, '')) ?? []);
  const newer = stable.filter((one) => one.prerelease === null && compare(one, version) > 0);
  const [major, minor] = version.numbers;
  const isNewestOfMinor = !newer.some(({ numbers }) => numbers[0] === major && numbers[1] === minor);
  return [text, ...(isNewestOfMinor ? [`${major}.${minor}`] : []), ...(newer.length === 0 ? ['latest'] : [])];
}

function compare(one: Version, other: Version): number {
  const differences = one.numbers.map((number, index) => number - other.numbers[index]!);
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The text below `## 1.2.3, 2026-01-31`. */
function notesOf(changelog: string, version: string): string {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [heading = '', ...lines] = section.split('\n');
    const [name, date = ''] = heading.split(', ');
    if (name !== version) continue;
    if (!/^\d{4}-\d\d-\d\d$/.test(date))
      throw new Error(`CHANGELOG.md has "${heading}": replace "${date}" by the date of the release`);
    const text = lines.join('\n').trim();
    if (text === '') throw new Error(`CHANGELOG.md says nothing about ${version}`);
    return `${text}\n`;
  }
  throw new Error(`CHANGELOG.md has no section ${version}`);
}

/** An image that a release pushes. */
export interface Image {
  /** The stage of the Dockerfile. */
  readonly target: string;
  readonly name: string;
  /** Names with tags, separated by commas. */
  readonly tags: string;
  /** SPDX. */
  readonly licenses: string;
}

/** The images of a release in the registry of an owner, whose name is in lower case there. */
export function imagesOf(tags: readonly string[], owner: string): Image[] {
  const image = (target: string, name: string, licenses: string): Image => {
    const full = `ghcr.io/${owner.toLowerCase()}/${name}`;
    return { target, name: full, tags: tags.map((tag) => `${full}:${tag}`).join(','), licenses };
  };
  return [
    image('notify', 'notify', 'Apache-2.0'),
    image('whatsapp-sessions', 'notify-whatsapp-sessions', 'GPL-3.0-or-later'),
    image('ci', 'notify-ci', 'Apache-2.0'),
  ];
}
