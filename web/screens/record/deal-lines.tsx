import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../client/api.ts'
import { builtInField } from '../../records/data/built-in.ts'
import { isDealLines } from '../../records/data/pipelines.ts'
import {
  type RecordShape,
  recordPagesQuery,
  useCreateRecord,
  useDeleteRecords,
  useUpdateRecord,
} from '../../records/data/records-api.ts'
import { useRights } from '../../records/data/rights.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { quietlyUndoable } from '../../records/data/undo.ts'
import { asMoney, type Money } from '../../records/data/value-text.ts'
import { FieldEditor } from '../../records/fields/field-editor.tsx'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { Part } from '../../ui/basics/layout.tsx'
import { itemsOf, Loaded } from '../../ui/basics/loaded.tsx'
import { complain } from '../../ui/basics/notices.tsx'
import css from './deal-lines.module.css'
import { EditInPlace } from './fields/edit-in-place.tsx'
import { leadingTo } from './related/relations.ts'

const names = ['product', 'quantity', 'unit_price', 'discount']

type Props = { deals: ObjectShape; deal: RecordShape }

/** The products of a deal. Their sum can become its amount. */
export function DealLines(props: Props) {
  const lines = useSchema().find(isDealLines)
  const link = lines && builtInField(lines, 'deal')
  if (!lines || !link || lines.rights.read === 'none' || !builtInField(lines, 'product')) return null
  return <Lines {...props} lines={lines} link={link} />
}

function Lines({ deals, deal, lines, link }: Props & { lines: ObjectShape; link: FieldShape }) {
  const query = useInfiniteQuery(
    recordPagesQuery({ object: lines.key, filter: leadingTo(link, deal.id), sort: ['created_at'] }),
  )
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  // The sum is about all of them.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const [isAdding, setAdding] = useState(false)
  const fields = names.flatMap((name) => builtInField(lines, name) ?? [])
  const found = itemsOf(query)
  const isFixed = !useRights(deals).mayEdit(deal)
  const add = lines.rights.create && !isFixed && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Plus size={14} />}
      onClick={() => setAdding(true)}
    >
      Add product
    </Button>
  )
  return (
    <Part title="Products" action={add} className={css.part ?? ''}>
      <Loaded query={query} what="products" small>
        {() =>
          (found.length > 0 || isAdding) && (
            <div className={css.scroll}>
              <table className={css.lines} aria-label="Products">
                <thead>
                  <tr>
                    {fields.map(({ key, label }) => (
                      <th key={key} scope="col" data-number={key !== 'product' || undefined}>
                        {label}
                      </th>
                    ))}
                    <th scope="col" data-number>
                      Total
                    </th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {found.map((line) => (
                    <Line key={line.id} lines={lines} line={line} fields={fields} />
                  ))}
                  {isAdding && (
                    <NewLine
                      lines={lines}
                      deal={deal}
                      link={link}
                      columns={fields.length + 2}
                      onClose={() => setAdding(false)}
                    />
                  )}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {found.length > 0 && !hasNextPage && (
        <Sum deals={deals} deal={deal} sums={sumsOf(lines, found)} isFixed={isFixed} />
      )}
    </Part>
  )
}

type LineProps = { lines: ObjectShape; line: RecordShape; fields: FieldShape[] }

function Line({ lines, line, fields }: LineProps) {
  const { mayEdit, mayDelete } = useRights(lines)
  const { mutate } = useDeleteRecords(lines.key, () => 'Product removed.')
  const total = totalOf(lines, line)
  return (
    <tr>
      {fields.map((field) => (
        <td key={field.key} data-number={field.type !== 'relation' || undefined}>
          <EditInPlace object={lines} record={line} field={field} isFixed={!mayEdit(line)} empty="–" />
        </td>
      ))}
      <td data-number>{total ? asMoney(total) : '–'}</td>
      <td>
        {mayDelete(line) && <IconButton icon={X} label="Remove product" size={28} onClick={() => mutate([line.id])} />}
      </td>
    </tr>
  )
}

type NewProps = { lines: ObjectShape; deal: RecordShape; link: FieldShape; columns: number; onClose: () => void }

/** Choosing a product is all: it comes with its price, and what differs is changed in the line. */
function NewLine({ lines, deal, link, columns, onClose }: NewProps) {
  const product = builtInField(lines, 'product')!
  const price = builtInField(lines, 'unit_price')
  const products = useSchema().find(({ key }) => key === product.to_objects?.[0])
  const { mutateAsync } = useCreateRecord(lines.key, ({ record, change_set_id }) => {
    if (change_set_id) quietlyUndoable('Product added.', change_set_id, [record.id])
  })
  const add = async (chosen: unknown) => {
    onClose()
    if (typeof chosen !== 'string') return
    try {
      const { [builtInField(products!, 'price')?.key ?? 'price']: unit_price } = await api.getRecord({
        object: products!.key,
        id: chosen,
      })
      const values = { [link.key]: deal.id, [product.key]: chosen }
      await mutateAsync({ ...values, ...(price && unit_price ? { [price.key]: unit_price } : {}) })
    } catch (error) {
      complain('The product was not added', error)
    }
  }
  return (
    <tr>
      <td colSpan={columns}>
        <FieldEditor
          variant="cell"
          autoFocus
          field={product}
          value={null}
          onChange={() => {}}
          onCommit={(chosen) => void add(chosen)}
          onCancel={onClose}
        />
      </td>
    </tr>
  )
}

type SumProps = Props & { sums: Money[]; isFixed: boolean }

function Sum({ deals, deal, sums, isFixed }: SumProps) {
  const amount = builtInField(deals, 'amount')
  const { mutate, isPending } = useUpdateRecord(deals.key, {
    said: () => `Amount of ${String(deal.title)} changed.`,
    isAnnounced: true,
  })
  const [sum, ...others] = sums
  const now = amount && (deal[amount.key] as Money | undefined)
  const isSame = sum && now && Number(now.amount) === Number(sum.amount) && now.currency === sum.currency
  return (
    <p className={css.sum}>
      {amount && sum && !others.length && !isSame && !isFixed && (
        <Button
          variant="default"
          size="compact-sm"
          loading={isPending}
          onClick={() => mutate({ id: deal.id, values: { [amount.key]: sum } })}
        >
          Use as amount
        </Button>
      )}
      <span>
        Sum <b>{sums.map(asMoney).join(' + ') || '–'}</b>
      </span>
    </p>
  )
}

/** Nothing without a price. Rounded to the hundredth, as prices are. */
function totalOf(lines: ObjectShape, line: RecordShape): Money | undefined {
  const of = (name: string) => line[builtInField(lines, name)?.key ?? '']
  const price = of('unit_price') as Money | undefined
  if (!price) return undefined
  const total = Number(price.amount) * Number(of('quantity') ?? 1) * (1 - Number(of('discount') ?? 0) / 100)
  return { amount: String(Math.round(total * 100) / 100), currency: price.currency }
}

function sumsOf(lines: ObjectShape, all: RecordShape[]): Money[] {
  const totals = all.flatMap((line) => totalOf(lines, line) ?? [])
  return [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, some]) => ({
    amount: String(Math.round(some.reduce((sum, { amount }) => sum + Number(amount), 0) * 100) / 100),
    currency,
  }))
}
