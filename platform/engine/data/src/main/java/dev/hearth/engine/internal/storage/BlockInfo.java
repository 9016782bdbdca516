package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.FileSegment;
import java.util.Optional;

/** Description of a cached block for executors that copy it; {@code fileSegment} is its location if it is on disk. */
public record BlockInfo(long version, long records, Optional<FileSegment> fileSegment) {}
