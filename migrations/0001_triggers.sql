-- Views and triggers: what holds for every writer, whatever the statement. Triggers on the same change run in no
-- certain order, so none relies on another. Inside a trigger there is no CASE, because a remote D1 may take its END
-- for the end of the trigger: docs/decisions/additive-migrations.md.

-- ------------------------------------------------------------------------ guards

-- A batch has no way to stop when a guarded UPDATE touches nothing. Inserting changes() here aborts the whole batch
-- unless the statement before changed exactly one row. Nothing is ever stored.
CREATE VIEW assert_changed(ok, tag) AS SELECT 0, '';

CREATE TRIGGER assert_changed_insert INSTEAD OF INSERT ON assert_changed
WHEN new.ok IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'precondition_failed');
END;

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit log is append-only');
END;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit log is append-only');
END;

CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger is append-only');
END;

CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger is append-only');
END;

-- What somebody wrote can only be erased, when they delete their account.
CREATE TRIGGER deal_events_no_update BEFORE UPDATE ON deal_events
WHEN new.note IS NOT NULL
  OR (new.id, new.order_item_id, new.event, new.actor, new.actor_id, new.reason, new.amount, new.created_at)
    IS NOT (old.id, old.order_item_id, old.event, old.actor, old.actor_id, old.reason, old.amount, old.created_at)
BEGIN
  SELECT RAISE(ABORT, 'deal_events is append-only');
END;

CREATE TRIGGER deal_events_no_delete BEFORE DELETE ON deal_events
BEGIN
  SELECT RAISE(ABORT, 'deal_events is append-only');
END;

-- ------------------------------------------------------------------------- stock

-- Reserved pieces are never more than there are. A batch that breaks this is undone as a whole.
CREATE TRIGGER stock_never_oversold BEFORE UPDATE OF stock, reserved ON products
WHEN new.stock < 0 OR new.reserved < 0 OR new.reserved > new.stock
BEGIN
  SELECT RAISE(ABORT, 'precondition_failed');
END;
