/** Where to go after logging in: the path that was wanted, if it is one of ours; an address elsewhere is none. */
export function returnPath(wanted: string | null): string {
  const isOurs = wanted !== null && /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/login');
  return isOurs ? wanted : '/overview';
}
