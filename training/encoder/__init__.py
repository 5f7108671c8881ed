"""The sentence encoder that ships: Google's Universal Sentence Encoder (multilingual, version 3), trimmed to interfaces."""
