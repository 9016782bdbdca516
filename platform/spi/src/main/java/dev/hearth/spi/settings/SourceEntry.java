package dev.hearth.spi.settings;

/** One setting as a source gives it, still under the key it was written with. */
record SourceEntry(String key, ValueTemplate template, String origin) {}
