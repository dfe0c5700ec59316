/** What a dry run would have written so far, so that later rows of the same file are judged as they would be. */
export type Seen = {
  /** Unique values of records that would have been created, as `field_id key`. */
  uniques: Set<string>
  /** Related records that would have been created, as `object name`. */
  related: Set<string>
  /** Options that would have been added, as `field label`. */
  options: Set<string>
}

export const nothingSeen = (): Seen => ({ uniques: new Set(), related: new Set(), options: new Set() })
