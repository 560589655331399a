"""The project is found from anywhere inside it, and nothing outside it becomes a path."""

from __future__ import annotations

import os

import pytest

from leftoff.errors import Usage
from leftoff.world.place import Place, family, find_place, inside
from support import git, repo


def _folder(*parts: object) -> str:
    path = os.path.join(*map(os.fspath, parts))
    os.makedirs(path, exist_ok=True)
    return path


@pytest.mark.req("X.root.search")
def test_a_subfolder_belongs_to_the_top_of_its_repository(tmp_path):
    root = repo(tmp_path)
    deep = _folder(root, "src", "a", "b")
    assert find_place(deep) == find_place(root) == Place(root, os.path.join(root, ".git"))


@pytest.mark.req("X.root.search")
def test_a_symlinked_way_into_the_project_leads_to_the_same_place(tmp_path):
    root = repo(tmp_path)
    deep = _folder(root, "src", "a")
    os.symlink(deep, tmp_path / "shortcut")
    assert find_place(os.fspath(tmp_path / "shortcut")) == find_place(root)


@pytest.mark.req("X.root.search")
@pytest.mark.parametrize(
    "mark", [".checkpoints", "checkpoints/active", "checkpoints/archive", ".workflow_artifacts"]
)
def test_the_nearest_folder_with_checkpoints_wins_inside_a_repository(tmp_path, mark):
    root = repo(tmp_path)
    _folder(root, ".checkpoints")
    package = _folder(root, "packages", "one")
    _folder(package, mark)
    assert find_place(_folder(package, "src", "x")).root == package
    assert find_place(_folder(root, "packages", "two")).root == root


def test_checkpoints_above_the_repository_are_not_its_own(tmp_path):
    _folder(tmp_path, ".checkpoints")
    root = repo(tmp_path)
    assert find_place(root).root == root


def test_a_worktree_is_a_place_of_its_own_in_the_same_family(tmp_path):
    root = repo(tmp_path)
    other = os.fspath(tmp_path / "other")
    git("worktree", "add", "--quiet", "-b", "side", other, cwd=root)
    place = find_place(_folder(other, "src"))
    assert place.root == other
    assert place.git == git("rev-parse", "--absolute-git-dir", cwd=other).strip()
    assert family(place) == family(find_place(root)) == os.path.join(root, ".git")


def test_a_submodule_is_a_family_of_its_own(tmp_path):
    inner, outer = repo(_folder(tmp_path, "a")), repo(_folder(tmp_path, "b"))
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub", cwd=outer)
    place = find_place(os.path.join(outer, "sub"))
    assert place.root == os.path.join(outer, "sub")
    assert family(place) == place.git == os.path.join(outer, ".git", "modules", "sub")


def test_a_worktree_whose_repository_is_gone_is_still_a_place(tmp_path):
    lost = _folder(tmp_path, "lost")
    with open(os.path.join(lost, ".git"), "w", encoding="utf-8") as file:
        file.write("gitdir: /nowhere/.git/worktrees/lost\n")
    place = find_place(_folder(lost, "src"))
    assert place == Place(lost, "")
    assert family(place) == lost


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_something_else_called_dot_git_is_no_repository(tmp_path, kind):
    top = _folder(tmp_path, "top")
    if kind == "folder":
        _folder(top, ".git")
    else:
        with open(os.path.join(top, ".git"), "wb") as file:
            file.write(b"\xff\xfenothing of git's\n")
    start = _folder(top, "src")
    assert find_place(start) == Place(start, "")


def test_a_file_of_git_that_cannot_be_read_is_as_good_as_none(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    with open(tmp_path / ".git", "w", encoding="utf-8") as file:
        file.write("gitdir: elsewhere\n")
    monkeypatch.setattr("builtins.open", refuse)
    assert find_place(os.fspath(tmp_path)) == Place(os.fspath(tmp_path), "")


@pytest.mark.req("X.root.search")
def test_without_git_the_folder_with_checkpoints_is_found_from_below(tmp_path):
    top = _folder(tmp_path, "top")
    _folder(top, ".checkpoints")
    assert find_place(_folder(top, "a", "b")) == Place(top, "")
    assert family(find_place(top)) == top


def test_without_git_and_without_checkpoints_the_folder_itself_is_the_place(tmp_path):
    start = _folder(tmp_path, "plain", "folder")
    assert find_place(start) == Place(start, "")


def test_without_git_the_home_folder_is_a_project_only_for_who_is_in_it(tmp_path):
    home = _folder(tmp_path, "home")
    _folder(home, ".checkpoints")
    start = _folder(home, "work", "x")
    assert find_place(start, home).root == start
    assert find_place(home, home).root == home


def test_without_git_nothing_above_the_home_folder_is_taken(tmp_path):
    _folder(tmp_path, ".checkpoints")
    home = _folder(tmp_path, "home")
    for start in (_folder(home, "x"), _folder(tmp_path, "beside")):
        assert find_place(start, home).root == start
        assert find_place(start).root == os.fspath(tmp_path)


def test_without_git_a_folder_that_anyone_can_write_is_not_taken_from_below(tmp_path):
    shared = _folder(tmp_path, "shared")
    _folder(shared, ".checkpoints")
    os.chmod(shared, 0o1777)
    start = _folder(shared, "mine")
    assert find_place(start).root == start
    assert find_place(shared).root == shared


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize(
    "path", ["", ".", "..", "../x", "a/../../x", "/etc/passwd", "a\0b", ".git/hooks/x", "a/.git/x"]
)
def test_a_path_that_is_not_inside_the_project_is_refused(tmp_path, path):
    with pytest.raises(Usage) as caught:
        inside(os.fspath(tmp_path), path)
    assert "\0" not in caught.value.message


@pytest.mark.req("X.path.inside")
def test_links_that_lead_out_are_refused_and_links_that_stay_in_are_resolved(tmp_path):
    root, out = _folder(tmp_path, "root"), _folder(tmp_path, "out")
    real = _folder(root, "real")
    os.symlink(out, os.path.join(root, "away"))
    os.symlink("real", os.path.join(root, "near"))
    os.symlink("../../out/file", os.path.join(root, "real", "file"))
    assert inside(root, "near/x") == os.path.join(real, "x")
    assert inside(root, os.path.join(root, "near", "x")) == os.path.join(real, "x")
    for path in ("away/x", "away", "near/file", "real/file"):
        with pytest.raises(Usage, match="leads outside the project, by a link"):
            inside(root, path)


def test_a_sibling_whose_name_begins_like_the_root_is_outside(tmp_path):
    root = _folder(tmp_path, "root")
    with pytest.raises(Usage):
        inside(root, os.path.join(_folder(tmp_path, "root-2"), "x"))
