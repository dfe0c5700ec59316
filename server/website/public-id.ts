// The public ID of a form names its company and its source, so that no table of all companies is needed to find it.

export const formIdOf = (company_id: string, source_id: string) =>
  Buffer.from((company_id + source_id).replaceAll('-', ''), 'hex').toString('base64url')

export function readFormId(form_id: string) {
  const hex = Buffer.from(form_id, 'base64url').toString('hex')
  if (hex.length !== 64 || !/^[A-Za-z0-9_-]{43}$/.test(form_id)) return undefined
  return { company_id: uuid(hex.slice(0, 32)), source_id: uuid(hex.slice(32)) }
}

const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
