package dev.hearth.spi.settings;

/** Setting as written in one source, under its original key. */
record SourceEntry(String key, ValueTemplate template, String origin) {}
