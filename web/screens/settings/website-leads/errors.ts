/** The first error of a value or of something inside it. */
export const errorUnder = (errors: Record<string, string>, field: string) =>
  Object.entries(errors).find(([path]) => path.split('.')[0] === field)?.[1]
