-- In bytes, as it was first found on a mail server: another message with the same ID rarely has the same size. Null: not
-- known yet.
alter table messages add column size int;

-- Messages that were sent and whose copy is still to be put into the Sent folder of their mailbox.
create table sent_copies (
  company_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  -- Until then, the process that sent it tries.
  due_at timestamptz not null,
  primary key (company_id, channel_id, message_id)
);

-- Messages are found by the names of their files. Those of existing companies are indexed again by a job.
alter table companies alter column message_index_version set default 3;
