"""The only code that touches disk, git, clock, processes, network and databases."""
