package dev.hearth.spi.process;

import dev.hearth.spi.net.Bytes;

/**
 * Part of an output of a process: {@code bytes} between the positions {@code from} and {@code to}. If {@code atEnd}, no
 * byte followed them when they were read. If {@code isCut}, bytes between the requested position and {@code from} were
 * removed, as files roll over. Immutable.
 */
public record OutputChunk(Bytes bytes, OutputPosition from, OutputPosition to, boolean atEnd, boolean isCut) {}
