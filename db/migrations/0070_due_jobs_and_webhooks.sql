insert into due_work (company_id, queue, due_at)
select company_id, 'jobs', min(created_at) from jobs where state in ('waiting', 'running') group by company_id
union all
select company_id, 'webhooks', min(next_attempt_at) from webhook_deliveries where next_attempt_at is not null
  group by company_id;
