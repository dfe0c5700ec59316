// What the tests of new versions share.

export const offer = 'A new version is available.'
