package dev.hearth.spi.cluster;

import dev.hearth.spi.process.OutputChunk;

/**
 * Part of an output of a process of a cluster. {@code hasEnded} says that the process has ended, so that nothing follows
 * the end of its output. {@code holder} is where the files are, such as the id of a worker; a request for the next part
 * repeats it. Immutable. Travels in messages.
 */
public record LogChunk(OutputChunk chunk, boolean hasEnded, String holder) {}
