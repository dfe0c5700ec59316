-- What runs on a clock, or with each message, finds its rows by an index made for it.

-- The same as change_sets_undone.
drop index change_sets_by_undo;

-- The last message of each side, and the first answer since a time.
create index messages_by_direction on messages (company_id, conversation_id, direction, at, id) where direction is not null;
-- What is to be sent in a conversation. There are few at any time.
create index messages_waiting on messages (company_id, conversation_id, id) where send_at is not null;
-- Whether an outgoing message still has a file.
create index messages_by_file on messages using gin (files jsonb_path_ops) where direction = 'out' and files <> '[]';

-- Merged conversations, by what they were merged into, and of a channel whose mail is deleted.
create index conversations_merged on conversations (company_id, merged_into) where merged_into is not null;
create index conversations_merged_of_channel on conversations (company_id, channel_id) where merged_into is not null;
create index conversation_moves_from on conversation_moves (company_id, from_id);
create index conversation_moves_to on conversation_moves (company_id, to_id);
create index message_drafts_of_conversation on message_drafts (company_id, conversation_id) where conversation_id is not null;
-- What moved with a merge, in steps.
create index conversation_links_of_merge on conversation_links (company_id, (merged ->> 'change_set_id'), conversation_id)
  where merged is not null;
drop index conversation_links_merged;
create index inbox_rule_runs_of_conversation on inbox_rule_runs (company_id, conversation_id);

-- With the company first, so that each company's rows are found without those of the others.
create index idempotency_keys_oldest on idempotency_keys (company_id, created_at);
drop index idempotency_keys_by_age;
create index files_expiring on files (company_id, expires_at) where expires_at is not null;
drop index files_by_expiry;

-- What is shortened or emptied after a while and has not been yet.
create index lead_submissions_with_agent on lead_submissions (company_id, id) where user_agent is not null;
create index lead_deliveries_with_log on lead_deliveries (company_id, id) where log <> '[]';
