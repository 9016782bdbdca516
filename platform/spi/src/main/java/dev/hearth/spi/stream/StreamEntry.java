package dev.hearth.spi.stream;

/** One file or subdirectory in the listing of a served directory, with its name and its size in bytes. */
public record StreamEntry(String name, boolean directory, long size) {}
