"""The POSIX commands that Android takes from toybox."""
