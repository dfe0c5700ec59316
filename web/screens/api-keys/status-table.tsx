import { statusCodes } from '../../keys/status-codes.ts'
import { Cell, Head, Row, Table } from '../../ui/table.tsx'
import css from './status-table.module.css'

const head = (
  <>
    <Head>Status</Head>
    <Head>What it means</Head>
    <Head>What to do</Head>
  </>
)

export const StatusTable = () => (
  <Table label="Status codes" className={css.table} head={head} stackOn="phone">
    {statusCodes.map(({ status, meaning, todo }) => (
      <Row key={status}>
        <Cell kind="status">{status}</Cell>
        <Cell kind="meaning">{meaning}</Cell>
        <Cell kind="todo">{todo}</Cell>
      </Row>
    ))}
  </Table>
)
