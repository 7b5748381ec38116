/** The variables of the ENV lines of a stage, but for PATH, which names places of the image. */
export function environmentOf(lines: readonly string[]): Record<string, string> {
  const words = lines.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.split(' ').slice(1));
  const pairs = words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return Object.fromEntries(pairs.filter(([name]) => name !== 'PATH')) as Record<string, string>;
}

/** The words of the last line `<instruction> … CMD [words]`. An instruction `CMD` is such a line itself. */
export function commandOf(lines: readonly string[], instruction: 'CMD' | 'HEALTHCHECK'): string[] {
  const line = lines.findLast((one) => one.startsWith(`${instruction} `)) ?? '';
  const words = /CMD (\[.*\])$/.exec(line)?.[1];
  if (words === undefined) throw new Error(`the Dockerfile has no ${instruction}`);
  return JSON.parse(words) as string[];
}
