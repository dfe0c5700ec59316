-- When to notify the assignee of a task. Written with the task, and deleted when they are notified.
create table reminders (
  company_id uuid not null references companies (id),
  record_id uuid not null,
  -- The built-in field that has the time: due_at or remind_at.
  field text not null,
  at timestamptz not null,
  -- Later than `at` for a task that is due on a day without a time.
  notify_at timestamptz not null,
  primary key (company_id, record_id, field)
);
create index reminders_due on reminders (company_id, notify_at);

insert into reminders (company_id, record_id, field, at, notify_at)
select r.company_id, r.id, f.built_in_key, (r.values ->> f.key)::timestamptz, (r.values ->> f.key)::timestamptz
from objects o
join fields f on f.company_id = o.company_id and f.object_id = o.id and f.built_in_key in ('due_at', 'remind_at')
join records r on r.company_id = o.company_id and r.object_id = o.id and r.deleted_at is null
where o.built_in_key = 'tasks' and (r.values ->> f.key)::timestamptz > now();

-- Which notifications a rule is about. A rule about another kind than record_matched limits those of that kind.
alter table subscriptions add column notification_kind text not null default 'record_matched';
