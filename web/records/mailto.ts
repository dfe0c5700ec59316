/** Only an address: a question mark in it could add recipients and a text. */
export const mailtoOf = (email: string) => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`
