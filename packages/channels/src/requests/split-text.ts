import { type Cut, cutText, smsSegments } from '@notify/core';
import type { Split } from '../adapter/channel.ts';

/**
 * Cuts a text, as `cutText` does, for a provider that makes the segments itself, but takes at most `maxLength` UTF-16 code units
 * (2 or more) at once. The phone joins the segments of one text, but shows each text by itself. `segments` counts the segments of
 * all texts.
 */
export function splitText(text: string, maxLength: number, cut: Cut): Split {
  const texts = partsOf(text, maxLength, cut);
  return { texts, segments: texts.reduce((sum, each) => sum + smsSegments(each).segments, 0) };
}

/** Cuts a text into parts of at most `maxLength` UTF-16 code units (2 or more) each. */
export function partsOf(text: string, maxLength: number, cut: Cut): readonly string[] {
  return cutText(
    text,
    (whole, start) => {
      const end = Math.min(start + maxLength, whole.length);
      return end < whole.length && isHighSurrogate(whole.charCodeAt(end - 1)) ? end - 1 : end;
    },
    cut,
  );
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
