"""The mutation tool: mistakes made by rule, all in one build, one switched on at a time."""
