/** What `values` itself has under a key that people choose: `constructor` must not find what every object inherits. */
export const own = <T>(values: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined

/** A word that programs would find in any object, so nothing new may be called that. */
export const isInherited = (key: string) => key in Object.prototype
