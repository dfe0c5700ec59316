export const snippets: { name: string; code: string }[] = []
