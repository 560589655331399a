"""A person at a machine of their own, in a clone of the project, with a way to the team store."""

from __future__ import annotations

import json
import os

from histories import HOUR, Talk
from support import git, run

AT = "2026-08-08T12:00:00Z"


class Desk:
    """Their home, their state folder and their clone lie where nobody else's do."""

    def __init__(self, team, tmp_path, name: str, member=None) -> None:
        self.member = member or team.member(name)
        home = os.path.join(tmp_path, f"home-{name}")
        os.makedirs(home, exist_ok=True)
        self.env = {
            "HOME": home,
            "XDG_CONFIG_HOME": f"{home}/config",
            "LEFTOFF_STATE": f"{home}/state",
            "LEFTOFF_TEAM_URL": self.member.url,
        }
        self.root = ""
        self._folder = os.path.join(tmp_path, f"work-{name}")

    def clone(self, of: str) -> Desk:
        os.makedirs(self._folder, exist_ok=True)
        self.root = os.path.join(self._folder, "shop")
        git("clone", "--quiet", of, self.root, cwd=self._folder)
        git("config", "user.name", self.member.name, cwd=self.root)
        git("config", "user.email", f"{self.member.name}@example.invalid", cwd=self.root)
        return self

    def run(self, *words: str, ok: bool = True, **env: str):
        done = run(*words, "--now", AT, cwd=self.root, env={**self.env, **env})
        assert not ok or done.returncode == 0, (words, done.stdout, done.stderr)
        return done

    def data(self, *words: str):
        return json.loads(self.run(*words, "--json").stdout)["data"]

    def talk(self, n: int, monkeypatch, text: str = "Please repair the cart") -> None:
        """A session of this person here, as its client wrote it down."""
        monkeypatch.setenv("HOME", self.env["HOME"])
        Talk(n, self.root).ask(HOUR, text).answer(HOUR - 10, "Done: the cart adds up.", 900).save()
