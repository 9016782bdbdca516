package dev.hearth.spi.cluster;

import dev.hearth.spi.settings.Settings;

/** An application as its cluster manager sees it: a name to show, and its settings. */
public record ApplicationSpec(String name, Settings settings) {}
