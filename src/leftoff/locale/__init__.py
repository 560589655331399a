"""Translations as plain dictionaries: English text -> text. A language has one page per subject.

A page is a module of this folder, found by itself: `TEXTS` for the texts of views, `MESSAGES` for
errors, findings, questions and help.
"""
