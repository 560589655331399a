"""Translations as plain dictionaries: English text -> text. One module per language."""
