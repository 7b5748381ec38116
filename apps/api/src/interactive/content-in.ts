import type { InteractiveContent } from '@notify/contract';

/** The send with the fields of its interactive content in one object. */
export function contentIn<S extends InteractiveContent>(
  send: S,
): Omit<S, keyof InteractiveContent> & { readonly interactive: InteractiveContent } {
  const { text, header, footer, buttons, list, fallback, ...rest } = send;
  const interactive = {
    text,
    ...(header === undefined ? {} : { header }),
    ...(footer === undefined ? {} : { footer }),
    ...(buttons === undefined ? {} : { buttons }),
    ...(list === undefined ? {} : { list }),
    ...(fallback === undefined ? {} : { fallback }),
  };
  return { ...rest, interactive };
}
