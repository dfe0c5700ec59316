// Case, accents and forms of the same letter do not count when texts are compared.

// Vowel signs of Indic and Southeast Asian scripts are marks too, but words differ by them, so they stay.
const accents =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu

/** NFKD, no accents, lower case. Folding twice changes nothing. */
export const fold = (text: string) => plain(lower(plain(text)))

const plain = (text: string) => text.normalize('NFKD').replace(accents, '')

// By way of upper case, so that ß meets SS and the dotless i meets I; a final sigma is a sigma.
const lower = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
