/**
 * The address as every spelling of it that Postgres finds the same account by: `lower()` takes each character by itself,
 * while JavaScript's makes two of İ and lets Σ depend on what follows.
 */
export function foldEmail(email: string): string {
  return Array.from(email, (character) => Array.from(character.toLowerCase())[0]).join('');
}
