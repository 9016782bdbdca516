package dev.hearth.spi.ledger;

import dev.hearth.spi.settings.Settings;

/** Process that wants to lead: a name by which people find it, such as its address, and its settings. Immutable. */
public record Candidate(String name, Settings settings) {}
