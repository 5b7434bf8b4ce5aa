CREATE TABLE acknowledgements (mailbox text PRIMARY KEY, submission_id text NOT NULL, sent_at bigint NOT NULL);
CREATE INDEX acknowledgements_submission ON acknowledgements (submission_id);
CREATE TABLE digests (
    recipient text PRIMARY KEY,
    until bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at bigint NOT NULL DEFAULT 0
  );
CREATE TABLE erasure_clean_ups (id text PRIMARY KEY, file_key text, since bigint NOT NULL);
CREATE TABLE erasures (id text NOT NULL, erased_at bigint NOT NULL, PRIMARY KEY (id, erased_at));
CREATE TABLE inbox_visits (name text PRIMARY KEY, new_since bigint NOT NULL, last_at bigint NOT NULL);
CREATE TABLE last_runs (task text PRIMARY KEY, at bigint NOT NULL, files_missing integer NOT NULL DEFAULT 0);
CREATE TABLE notifications (
    submission_id text NOT NULL REFERENCES submissions ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('acknowledgement', 'webhook')),
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
    state_since bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at bigint NOT NULL DEFAULT 0,
    last_error text,
    lease_token text,
    lease_until bigint,
    PRIMARY KEY (submission_id, kind)
  );
CREATE INDEX notifications_due ON notifications (next_attempt_at) WHERE state = 'pending';
CREATE INDEX notifications_failed ON notifications (kind, state_since) WHERE state = 'failed';
CREATE TABLE properties (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE submissions (
    id text PRIMARY KEY,
    form text NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'quarantined')),
    state_since bigint NOT NULL,
    content_digest text NOT NULL,
    email text NOT NULL,
    topic text NOT NULL,
    fields text NOT NULL,
    resume text,
    reasons text NOT NULL,
    request_id text NOT NULL,
    received_at bigint NOT NULL,
    next_attempt_at bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    released_at bigint,
    lease_token text,
    lease_until bigint,
    history text NOT NULL DEFAULT '',
    handled text CHECK (handled IN ('done', 'spam')),
    handled_at bigint,
    handled_by text,
    recipient text,
    taken_by text,
    taken_at bigint,
    labels text NOT NULL DEFAULT '',
    remind_at bigint,
    version bigint NOT NULL DEFAULT 0,
    search_text text NOT NULL
  );
CREATE INDEX submissions_age ON submissions (state, state_since, id);
CREATE INDEX submissions_due ON submissions (state, next_attempt_at, received_at) WHERE state = 'pending';
CREATE INDEX submissions_email ON submissions (email, id);
CREATE INDEX submissions_handed_over
    ON submissions (recipient, form, (coalesce(handled, state)), received_at, id)  WHERE recipient IS NOT NULL;
CREATE INDEX submissions_handled ON submissions (handled, handled_at) WHERE handled IS NOT NULL;
CREATE INDEX submissions_labelled ON submissions (labels) WHERE labels <> '';
CREATE INDEX submissions_listed ON submissions (form, (coalesce(handled, state)), received_at, id) ;
CREATE INDEX submissions_of_topic ON submissions (form, topic, (coalesce(handled, state)), received_at, id, recipient);
CREATE INDEX submissions_received ON submissions (received_at, id);
CREATE INDEX submissions_reminded ON submissions (remind_at, id) WHERE remind_at IS NOT NULL;
CREATE INDEX submissions_taken ON submissions (taken_by, received_at, id)
    WHERE taken_by IS NOT NULL AND handled IS NULL;
