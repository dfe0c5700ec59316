// Files as values of a record. What a file is never changes, so the record keeps its name and size, too.

export type FileValue = { id: string; name: string; type: string; size: number }
