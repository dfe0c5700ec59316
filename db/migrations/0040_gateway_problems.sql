alter table channels
  -- What last_error is about: receiving or sending. It is over when the same works again.
  add column last_error_about text,
  add column recovered_at timestamptz,
  -- Someone was notified of the outage that still lasts.
  add column failure_told_at timestamptz;
