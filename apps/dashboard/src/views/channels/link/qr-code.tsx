import type { ReactNode } from 'react';
import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** White modules around the code. Scanners need four (ISO/IEC 18004, 9.1). */
const quietZone = 4;

/** A QR code for a phone to scan, black on white in both colour schemes. `label` describes it to screen readers. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { data, size } = encode(text, { ecc: 'L', border: 0 });
  const side = size + 2 * quietZone;
  return (
    <svg className={classes.code} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label}>
      <rect width={side} height={side} fill="#fff" />
      <path d={outlineOf(data)} fill="#000" />
    </svg>
  );
}

/** One rectangle for each run of dark modules in a row. */
function outlineOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      runsOf(row).map(([x, length]) => `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`),
    )
    .join('');
}

function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
