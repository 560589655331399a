"""One client program per file: payload to event, event to reply. Part 3 brings them."""
