/** Whether a value is an angle of at most `most` degrees either way: 90 for a latitude, 180 for a longitude. */
export function isDegree(value: unknown, most: 90 | 180): value is number {
  return typeof value === 'number' && Math.abs(value) <= most;
}
