package dev.hearth.spi.stream;

/** Entry of a directory listing. */
public record StreamEntry(String name, boolean directory, long size) {}
