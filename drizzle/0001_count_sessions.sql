-- Keeps `session_counts`. At the end of the transaction, so that the row of a user's counts is the last lock that anything takes.
CREATE FUNCTION count_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN
    UPDATE session_counts SET
      active = active - (OLD.status = 'running')::int,
      archived = archived - (OLD.status = 'archived')::int
    WHERE user_id = OLD.user_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN
    INSERT INTO session_counts AS counts (user_id, active, archived)
    VALUES (NEW.user_id, (NEW.status = 'running')::int, (NEW.status = 'archived')::int)
    ON CONFLICT (user_id) DO UPDATE SET
      active = counts.active + EXCLUDED.active,
      archived = counts.archived + EXCLUDED.archived;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_session AFTER INSERT OR DELETE ON sessions
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_session();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER recount_session AFTER UPDATE ON sessions
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (OLD.status IS DISTINCT FROM NEW.status OR (OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.deleted_at IS NULL))
EXECUTE FUNCTION count_session();
