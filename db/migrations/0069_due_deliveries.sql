insert into due_work (company_id, queue, due_at)
select company_id, 'deliveries', min(next_attempt_at) from deliveries group by company_id;
