const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text looks like an ID and therefore cannot be a name. */
export const isId = (text: string) => pattern.test(text)
