package dev.hearth.kernel.internal.archive;

import java.nio.file.Path;

/** File to pack: its name in the archive, relative and with slashes, and whether it is a program. */
public record ArchiveEntry(String name, Path file, boolean executable) {}
