"""Trains the network that says which candidates are elements (`handeye.parse.rescorer`)."""
