/** A tenant that is logged in. */
export interface Session {
  readonly token: string;
  readonly tenantId: string;
}

/** Registers a tenant through the api. */
export async function registerTenant(apiUrl: string): Promise<Session> {
  const response = await fetch(`${apiUrl}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', email: 'bench@example.com', password: 'correct horse' }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string; user: { id: string } } };
  return { token: data.accessToken, tenantId: data.user.id.slice('ten_'.length) };
}
