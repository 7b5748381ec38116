/** An ID short enough for a line of a list: `msg_01a20085…c220`. The beginning grows with time, the end tells two apart. */
export function shortId(id: string): string {
  const [, prefix = '', bare = id] = /^([a-z]+_)?(.+)$/.exec(id) ?? [];
  return bare.length <= 16 ? id : `${prefix}${bare.slice(0, 8)}…${bare.slice(-4)}`;
}
