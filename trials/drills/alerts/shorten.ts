/** The shortest ranges and waits that are left, in ms: a rate needs a few scrapes, and a hiccup is no fault. */
const leastMs = { range: 4_000, for: 3_000, offset: 1_000 } as const;

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Divides all durations of Prometheus' rules: ranges (`[5m]`), offsets and the time for which a condition must hold.
 * Recorded names keep their windows, and thresholds keep their values. No range gets shorter than 4 s and no wait shorter
 * than 3 s, because Prometheus scrapes once a second and a rate needs several scrapes.
 */
export function shortenWindows(rules: string, divisor: number): string {
  const shortened = (duration: string, least: keyof typeof leastMs): string =>
    `${Math.max(leastMs[least], Math.round(toMs(duration) / divisor))}ms`;
  return rules
    .replaceAll(/\[(\w+)\]/g, (_, range: string) => `[${shortened(range, 'range')}]`)
    .replaceAll(/\boffset (\d\w*)/g, (_, offset: string) => `offset ${shortened(offset, 'offset')}`)
    .replaceAll(/^( *for: )(\w+)$/gm, (_, key: string, time: string) => `${key}${shortened(time, 'for')}`);
}

/** A duration such as `90s` or `1h30m` (Prometheus, "Time durations"), in ms. */
function toMs(duration: string): number {
  const parts = Array.from(duration.matchAll(/(\d+)(ms|[smhdw])/g));
  if (parts.map(([part]) => part).join('') !== duration || duration === '')
    throw new Error(`"${duration}" is no duration`);
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitsMs[unit as keyof typeof unitsMs],
    0,
  );
}
