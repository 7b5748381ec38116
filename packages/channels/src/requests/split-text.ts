import { smsSegments } from '@notify/core';
import type { Split } from '../adapter/channel.ts';

/**
 * Cuts a text for a provider that makes the segments itself, but takes at most `maxLength` UTF-16 code units at once.
 * Each text is as long as possible, and surrogate pairs stay whole. `segments` counts the segments of all texts.
 */
export function splitText(text: string, maxLength: number): Split {
  const texts: string[] = [];
  let end: number;
  for (let start = 0; start < text.length; start = end) {
    end = Math.min(start + maxLength, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    texts.push(text.slice(start, end));
  }
  return {
    texts: texts.length > 0 ? texts : [text],
    segments: texts.reduce((sum, each) => sum + smsSegments(each).segments, 0),
  };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
