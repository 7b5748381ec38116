import { type Cut, cutText, smsSegments } from '@notify/core';
import type { Split } from '../adapter/channel.ts';

/**
 * Cuts a text with `cutText` into texts of at most `maxLength` UTF-16 code units (2 or more). Made for providers that cut each
 * text into segments themselves. The phone joins the segments of a text, and shows each text by itself. `segments` counts those of
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
