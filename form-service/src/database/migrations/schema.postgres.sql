acknowledgements.mailbox text NOT NULL
acknowledgements.submission_id text NOT NULL
acknowledgements.sent_at bigint NOT NULL
acknowledgements: PRIMARY KEY (mailbox)
CREATE UNIQUE INDEX acknowledgements_pkey ON public.acknowledgements USING btree (mailbox)
CREATE INDEX acknowledgements_submission ON public.acknowledgements USING btree (submission_id)
digests.recipient text NOT NULL
digests.until bigint NOT NULL
digests.attempts integer NOT NULL DEFAULT 0
digests.next_attempt_at bigint NOT NULL DEFAULT 0
digests: PRIMARY KEY (recipient)
CREATE UNIQUE INDEX digests_pkey ON public.digests USING btree (recipient)
erasure_clean_ups.id text NOT NULL
erasure_clean_ups.file_key text
erasure_clean_ups.since bigint NOT NULL
erasure_clean_ups: PRIMARY KEY (id)
CREATE UNIQUE INDEX erasure_clean_ups_pkey ON public.erasure_clean_ups USING btree (id)
erasures.id text NOT NULL
erasures.erased_at bigint NOT NULL
erasures: PRIMARY KEY (id, erased_at)
CREATE UNIQUE INDEX erasures_pkey ON public.erasures USING btree (id, erased_at)
inbox_visits.name text NOT NULL
inbox_visits.new_since bigint NOT NULL
inbox_visits.last_at bigint NOT NULL
inbox_visits: PRIMARY KEY (name)
CREATE UNIQUE INDEX inbox_visits_pkey ON public.inbox_visits USING btree (name)
last_runs.task text NOT NULL
last_runs.at bigint NOT NULL
last_runs.files_missing integer NOT NULL DEFAULT 0
last_runs: PRIMARY KEY (task)
CREATE UNIQUE INDEX last_runs_pkey ON public.last_runs USING btree (task)
notifications.submission_id text NOT NULL
notifications.kind text NOT NULL
notifications.state text NOT NULL DEFAULT 'pending'::text
notifications.state_since bigint NOT NULL
notifications.attempts integer NOT NULL DEFAULT 0
notifications.next_attempt_at bigint NOT NULL DEFAULT 0
notifications.last_error text
notifications.lease_token text
notifications.lease_until bigint
notifications: CHECK ((kind = ANY (ARRAY['acknowledgement'::text, 'webhook'::text])))
notifications: PRIMARY KEY (submission_id, kind)
notifications: CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
notifications: FOREIGN KEY (submission_id) REFERENCES submissions(id) ON DELETE CASCADE
CREATE INDEX notifications_due ON public.notifications USING btree (next_attempt_at) WHERE (state = 'pending'::text)
CREATE INDEX notifications_failed ON public.notifications USING btree (kind, state_since) WHERE (state = 'failed'::text)
CREATE UNIQUE INDEX notifications_pkey ON public.notifications USING btree (submission_id, kind)
properties.name text NOT NULL
properties.value text NOT NULL
properties: PRIMARY KEY (name)
CREATE UNIQUE INDEX properties_pkey ON public.properties USING btree (name)
submissions.id text NOT NULL
submissions.form text NOT NULL
submissions.state text NOT NULL
submissions.state_since bigint NOT NULL
submissions.content_digest text NOT NULL
submissions.email text NOT NULL
submissions.topic text NOT NULL
submissions.fields text NOT NULL
submissions.resume text
submissions.reasons text NOT NULL
submissions.request_id text NOT NULL
submissions.received_at bigint NOT NULL
submissions.next_attempt_at bigint NOT NULL DEFAULT 0
submissions.attempts integer NOT NULL DEFAULT 0
submissions.last_error text
submissions.released_at bigint
submissions.lease_token text
submissions.lease_until bigint
submissions.history text NOT NULL DEFAULT ''::text
submissions.handled text
submissions.handled_at bigint
submissions.handled_by text
submissions.recipient text
submissions.taken_by text
submissions.taken_at bigint
submissions.labels text NOT NULL DEFAULT ''::text
submissions.remind_at bigint
submissions.version bigint NOT NULL DEFAULT 0
submissions.search_text text NOT NULL
submissions: CHECK ((handled = ANY (ARRAY['done'::text, 'spam'::text])))
submissions: PRIMARY KEY (id)
submissions: CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'quarantined'::text])))
CREATE INDEX submissions_age ON public.submissions USING btree (state, state_since, id)
CREATE INDEX submissions_due ON public.submissions USING btree (state, next_attempt_at, received_at) WHERE (state = 'pending'::text)
CREATE INDEX submissions_email ON public.submissions USING btree (email, id)
CREATE INDEX submissions_handed_over ON public.submissions USING btree (recipient, form, COALESCE(handled, state), received_at, id) INCLUDE (handled, state) WHERE (recipient IS NOT NULL)
CREATE INDEX submissions_handled ON public.submissions USING btree (handled, handled_at) WHERE (handled IS NOT NULL)
CREATE INDEX submissions_labelled ON public.submissions USING btree (labels) WHERE (labels <> ''::text)
CREATE INDEX submissions_listed ON public.submissions USING btree (form, COALESCE(handled, state), received_at, id) INCLUDE (handled, state)
CREATE INDEX submissions_of_topic ON public.submissions USING btree (form, topic, COALESCE(handled, state), received_at, id, recipient)
CREATE UNIQUE INDEX submissions_pkey ON public.submissions USING btree (id)
CREATE INDEX submissions_received ON public.submissions USING btree (received_at, id)
CREATE INDEX submissions_reminded ON public.submissions USING btree (remind_at, id) WHERE (remind_at IS NOT NULL)
CREATE INDEX submissions_taken ON public.submissions USING btree (taken_by, received_at, id) WHERE ((taken_by IS NOT NULL) AND (handled IS NULL))
