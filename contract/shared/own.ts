/** For keys that people choose: a key such as `constructor` must not find what every object inherits. */
export const own = <T>(values: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined

/** Every JavaScript object inherits these names, so new fields and objects cannot use them as keys. */
export const isInherited = (key: string) => key in Object.prototype
