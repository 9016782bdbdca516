package dev.hearth.spi.process;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * Ended work directories to retain: of those changed at {@code since} or later, the last changed ones that have at most {@code
 * bytesMax} bytes together. Without a {@code bytesMax}, a tenth of the file system. What was changed at {@code settled} or
 * later stays in any case, because its process may be about to start. Immutable.
 */
public record RetainedWork(Instant since, OptionalLong bytesMax, Instant settled) {}
