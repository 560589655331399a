"""The SQL of the team store: roles, then one list of statements for each version of the tables.

A version that was released is never changed: a change is a new version at the end.
"""

from __future__ import annotations

PARTITIONS = 16
"""Of the two tables that grow with every session; by owner, since every key begins with it."""

_ROLES = ("leftoff_owner", "leftoff_search", "leftoff_member", "leftoff_guest")
ROLES = (
    *(
        f"""
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '{role}') THEN
            CREATE ROLE {role} NOLOGIN NOINHERIT;
          END IF;
        END $$
        """
        for role in _ROLES
    ),
    """
    DO $$ BEGIN
      IF NOT pg_catalog.pg_has_role(current_user, 'leftoff_owner', 'MEMBER') THEN
        GRANT leftoff_owner TO CURRENT_USER;
      END IF;
      IF NOT pg_catalog.pg_has_role('leftoff_owner', 'leftoff_search', 'MEMBER') THEN
        GRANT leftoff_search TO leftoff_owner;
      END IF;
    END $$
    """,
    "CREATE SCHEMA IF NOT EXISTS leftoff AUTHORIZATION leftoff_owner",
)
"""As the administrator: nobody logs in as any of these. Members are given `leftoff_member`."""

_SEEN = "visibility text NOT NULL CHECK (visibility IN ('private', 'team', 'public'))"
_OWNED = "owner text NOT NULL DEFAULT current_user CHECK (owner <> 'leftoff_member')"

_STATS = f"""
CREATE TABLE leftoff.session_stats (
  {_OWNED},
  agent text NOT NULL, id text NOT NULL,
  project text NOT NULL, project_name text NOT NULL, machine text NOT NULL,
  branch text NOT NULL, thread text NOT NULL, parent text NOT NULL,
  source text NOT NULL, reason text NOT NULL, model text NOT NULL,
  started timestamptz, seen timestamptz NOT NULL, ended timestamptz,
  tokens_input bigint NOT NULL, tokens_output bigint NOT NULL,
  tokens_cache_read bigint NOT NULL, tokens_cache_write bigint NOT NULL,
  context_peak bigint NOT NULL,
  prompts integer NOT NULL, answers integer NOT NULL, commands integer NOT NULL,
  failed integer NOT NULL, commits integer NOT NULL, files integer NOT NULL,
  subagents integer NOT NULL, compactions integer NOT NULL,
  tasks_done integer NOT NULL, tasks_open integer NOT NULL,
  {_SEEN},
  hash text NOT NULL, pushed timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, agent, id)
) PARTITION BY HASH (owner)
"""
_TEXT = f"""
CREATE TABLE leftoff.session_text (
  {_OWNED},
  agent text NOT NULL, id text NOT NULL, part integer NOT NULL,
  form text NOT NULL, path text NOT NULL,
  project text NOT NULL, thread text NOT NULL, seen timestamptz NOT NULL, title text NOT NULL,
  kind text NOT NULL, at double precision NOT NULL, line integer NOT NULL,
  body text NOT NULL, spelt text NOT NULL, words tsvector NOT NULL,
  {_SEEN},
  hash text NOT NULL, pushed timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, agent, id, part)
) PARTITION BY HASH (owner)
"""
_CHECKPOINTS = f"""
CREATE TABLE leftoff.checkpoints (
  {_OWNED},
  project text NOT NULL, path text NOT NULL,
  format text NOT NULL, id text NOT NULL, thread text NOT NULL, machine text NOT NULL,
  updated timestamptz, documents jsonb NOT NULL,
  {_SEEN},
  hash text NOT NULL, pushed timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, project, path)
)
"""
_EVIDENCE = f"""
CREATE TABLE leftoff.evidence (
  {_OWNED},
  project text NOT NULL, path text NOT NULL, key text NOT NULL,
  item text NOT NULL, command text NOT NULL, exit_code integer NOT NULL,
  commit text NOT NULL, dirty boolean NOT NULL, at text NOT NULL, tree text NOT NULL,
  seconds double precision NOT NULL, machine text NOT NULL,
  {_SEEN},
  hash text NOT NULL, pushed timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, project, path, key)
)
"""
_TOMBSTONES = f"""
CREATE TABLE leftoff.tombstones (
  {_OWNED},
  kind text NOT NULL, key text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  {_SEEN},
  PRIMARY KEY (owner, kind, key)
)
"""
TABLES = ("session_stats", "session_text", "checkpoints", "evidence", "tombstones")
_PARTED = ("session_stats", "session_text")
# Estimates of the planner are made from samples of the rows, whoever may see them: EXPLAIN would
# tell by them how many hidden texts are smaller than a guess. What nobody sampled tells nothing.
_UNSAMPLED = {
    "session_text": ("title", "body", "spelt", "words", "id", "path", "hash", "thread"),
    "checkpoints": ("documents", "id", "path", "hash", "thread"),
    "evidence": ("item", "command", "key", "hash", "path", "commit", "tree"),
    "tombstones": ("key",),
}


_FOR_TEAM = "visibility IN ('team', 'public')"


def _partitions(table: str) -> list[str]:
    made = []
    for at in range(PARTITIONS):
        part = f"leftoff.{table}_{at:02}"
        values = f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {at})"
        made.append(f"CREATE TABLE {part} PARTITION OF leftoff.{table} {values}")
        made += _forced(part)  # with no policy of its own: nobody gets at rows past the table
        made += _unsampled(part, table)
    return made


def _forced(table: str) -> list[str]:
    return [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
    ]


def _unsampled(name: str, table: str) -> list[str]:
    columns = _UNSAMPLED.get(table, ())
    return [f"ALTER TABLE {name} ALTER COLUMN {column} SET STATISTICS 0" for column in columns]


def _guarded(table: str) -> list[str]:
    """Members do as they like with their own rows, and see those that are meant for them."""
    name = f"leftoff.{table}"
    mine = "owner = current_user::text"
    return [
        *_forced(name),
        *_unsampled(name, table),
        f"CREATE POLICY own ON {name} TO leftoff_member USING ({mine}) WITH CHECK ({mine})",
        f"CREATE POLICY shared ON {name} FOR SELECT TO leftoff_member USING ({_FOR_TEAM})",
        f"CREATE POLICY open ON {name} FOR SELECT TO leftoff_guest USING (visibility = 'public')",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO leftoff_member",
        f"GRANT SELECT ON {name} TO leftoff_guest",
    ]


_FIRST = (
    """
    CREATE TABLE leftoff.versions (
      version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()
    )
    """,
    """
    CREATE TABLE leftoff.store (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      id uuid NOT NULL DEFAULT gen_random_uuid(), made timestamptz NOT NULL DEFAULT now()
    )
    """,
    "INSERT INTO leftoff.store DEFAULT VALUES",
    "REVOKE ALL ON SCHEMA leftoff FROM PUBLIC",
    "GRANT USAGE ON SCHEMA leftoff TO leftoff_member, leftoff_guest, leftoff_search",
    "GRANT SELECT ON leftoff.versions, leftoff.store TO leftoff_member, leftoff_guest",
    *(_STATS, _TEXT, _CHECKPOINTS, _EVIDENCE, _TOMBSTONES),
    *(statement for table in _PARTED for statement in _partitions(table)),
    *(statement for table in TABLES for statement in _guarded(table)),
    "CREATE INDEX ON leftoff.session_stats (project, seen DESC)",
    "CREATE INDEX ON leftoff.session_stats (seen DESC)",
    "CREATE INDEX ON leftoff.checkpoints (project)",
)
# Under row-level security PostgreSQL looks through a word index only by functions that it knows to
# tell nothing, and the search of texts is none of them. So a search runs as a role that may read
# all texts and do nothing else, and names the rule itself: `session_user` is who logged in.
_SEARCH = """
CREATE FUNCTION leftoff.search(
  asked tsquery, wanted text[], unwanted text[], kinds text[], since double precision,
  of_project text, of_agent text, of_thread text, among text[], most integer
) RETURNS TABLE (
  owner text, form text, agent text, id text, part integer, path text, project text, thread text,
  kind text, at double precision, line integer, body text, total bigint
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me text := session_user;
  member boolean := pg_has_role(session_user, 'leftoff_member', 'MEMBER');
BEGIN
  RETURN QUERY
  SELECT t.owner, t.form, t.agent, t.id, t.part, t.path, t.project, t.thread,
         t.kind, t.at, t.line, t.body, count(*) OVER ()
    FROM leftoff.session_text t
   WHERE t.words @@ asked
     AND (t.owner = me OR t.visibility = 'public' OR (t.visibility = 'team' AND member))
     AND (kinds IS NULL OR t.kind = ANY (kinds))
     AND (since IS NULL OR t.at >= since)
     AND (of_project IS NULL OR t.project = of_project)
     AND (of_agent IS NULL OR t.agent = of_agent)
     AND (of_thread IS NULL OR t.thread = of_thread)
     AND (among IS NULL OR t.agent || chr(10) || t.id = ANY (among))
     AND NOT EXISTS (SELECT FROM unnest(wanted) w WHERE strpos(t.spelt, w) = 0)
     AND NOT EXISTS (SELECT FROM unnest(unwanted) u WHERE strpos(t.spelt, u) > 0)
   ORDER BY t.at DESC, (t.owner || '/' || t.agent || '/' || t.id) COLLATE "C", t.part
   LIMIT most;
END $$
"""
_SIGNED = (
    "leftoff.search(tsquery, text[], text[], text[], double precision, text, text, text, text[],"
    " integer)"
)
_SECOND = (
    "CREATE INDEX session_text_words ON leftoff.session_text USING gin (words)",
    "GRANT SELECT ON leftoff.session_text TO leftoff_search",
    "CREATE POLICY searching ON leftoff.session_text FOR SELECT TO leftoff_search USING (true)",
    _SEARCH,
    f"REVOKE ALL ON FUNCTION {_SIGNED} FROM PUBLIC",
    f"GRANT EXECUTE ON FUNCTION {_SIGNED} TO leftoff_member, leftoff_guest",
    "GRANT CREATE ON SCHEMA leftoff TO leftoff_search",
    f"ALTER FUNCTION {_SIGNED} OWNER TO leftoff_search",
    "REVOKE CREATE ON SCHEMA leftoff FROM leftoff_search",
)
MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _SECOND)
