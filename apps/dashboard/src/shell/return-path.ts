/** The path to open after a login: the wanted one if it is ours, never an address on another site. */
export function returnPath(wanted: string | null): string {
  const isOurs = wanted !== null && /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/login');
  return isOurs ? wanted : '/overview';
}
