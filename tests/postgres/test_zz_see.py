import sys,os,pytest
sys.path[:0]=["/work/w-web/tests"]
from postgres.test_progress import *
from postgres import test_progress as tp
def test_see(team,tmp_path,monkeypatch):
    monkeypatch.setattr(tp,"MANY",1500)
    ann=grown(team,tmp_path,monkeypatch)
    code,shown=at_terminal(PERSON,"","team","push","--now",AT,cwd=ann.root)
    open("/tmp/hw/shown.txt","w",encoding="utf-8").write(shown)
