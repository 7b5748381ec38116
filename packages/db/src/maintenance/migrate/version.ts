import manifest from '../../../package.json' with { type: 'json' };

/** The version of this code. All packages have the same. */
export const codeVersion: string = manifest.version;

/** Whether a version comes before another. Compares the three numbers; what follows a hyphen does not count. */
export function isBefore(version: string, other: string): boolean {
  const [these, those] = [numbersOf(version), numbersOf(other)];
  const at = these.findIndex((number, index) => number !== those[index]);
  return at >= 0 && these[at]! < (those[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('-', 1)[0]!.split('.').map(Number);
}
