-- Every minute, one statement finds the companies in which something is due.
create index reminders_by_time on reminders (notify_at, company_id);
create index lead_submissions_by_time on lead_submissions (next_attempt_at, company_id) where next_attempt_at is not null;
create index lead_returns_by_time on lead_returns (accepts_at, company_id) where accepts_at is not null;
create index conversations_by_snooze on conversations (snoozed_until, company_id) where snoozed_until is not null;
create index conversation_openings_by_time on conversation_openings (due_at, company_id) where due_at is not null;
