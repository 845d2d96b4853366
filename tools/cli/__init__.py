"""The verbs of the command, one thin module each: arguments in, one call of a room, an exit code out."""
