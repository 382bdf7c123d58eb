/** Posts a form to a route that answers scripts with JSON. Null when no answer arrived. */
export async function postForm<Answer>(path: string, fields: Record<string, string>): Promise<Answer | null> {
  try {
    const response = await fetch(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "application/json" },
    });
    return (await response.json()) as Answer;
  } catch {
    return null;
  }
}
