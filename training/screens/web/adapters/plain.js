const Library = plain
