package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.FileSegment;
import java.util.Optional;

/** A kept block as others see it who copy it: {@code place} is where it lies when that is on disk. */
public record BlockInfo(long version, long records, Optional<FileSegment> place) {}
