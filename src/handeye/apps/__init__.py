"""What Handeye knows about apps."""
