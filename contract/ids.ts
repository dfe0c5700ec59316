const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id, so that it is no name. */
export const isId = (text: string) => pattern.test(text)
