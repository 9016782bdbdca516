package dev.hearth.spi.stream;

/** One line of a directory listing. */
public record StreamEntry(String name, boolean directory, long size) {}
