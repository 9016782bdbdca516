package dev.hearth.spi.stream;

/** Entry in the listing of a served directory. */
public record StreamEntry(String name, boolean directory, long size) {}
