// Placeholder until the target's first slice lands.
