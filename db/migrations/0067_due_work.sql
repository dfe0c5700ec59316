-- Which companies may have something to do in which queue, and from when on; null: nothing is known to wait. It is a hint:
-- what there is to do is in the tables of the queues. Rows are added with the events that announce work.
create table due_work (
  company_id uuid not null,
  queue text not null,
  due_at timestamptz,
  -- Raised by every hint, so that none is forgotten by a process that looked before it.
  touched bigint not null default 0,
  primary key (company_id, queue)
);
create index due_work_by_time on due_work (queue, due_at) where due_at is not null;

insert into due_work (company_id, queue, due_at)
select company_id, 'leads', min(next_at) from lead_routings where next_at is not null group by company_id;
