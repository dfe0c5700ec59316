insert into due_work (company_id, queue, due_at)
select company_id, 'messages', min(send_at) from messages where send_at is not null group by company_id;

-- Messages are looked up by channel now (messages_due_in_channel).
drop index messages_due;
