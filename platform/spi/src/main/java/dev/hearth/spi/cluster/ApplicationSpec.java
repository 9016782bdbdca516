package dev.hearth.spi.cluster;

import dev.hearth.spi.settings.Settings;

/** Application as seen by its cluster manager: a display name and its settings. */
public record ApplicationSpec(String name, Settings settings) {}
