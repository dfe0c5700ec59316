-- The next messages of each channel, however many wait for another one.
create index messages_due_in_channel on messages (company_id, channel_id, send_at, id) where send_at is not null;
