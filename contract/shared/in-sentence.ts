/**
 * A label within a sentence: "First name" becomes "first name". Only a first word in ordinary capitalization is changed:
 * "NDA", "VAT number" and "iPhone" stay as they are.
 */
export const inSentence = (label: string) =>
  label.replace(/^\p{Lu}[\p{Ll}\p{M}'’-]+(?![\p{L}\p{N}])/u, (word) => word.toLowerCase())
