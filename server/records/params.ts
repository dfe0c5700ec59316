/** Collects the values of a statement. The text of a statement never holds one. */
export class Params {
  readonly values: unknown[] = []
  add(value: unknown, cast?: string) {
    this.values.push(value)
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`
  }
}
