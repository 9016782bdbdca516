package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.SegmentPart;
import java.util.Optional;

/** A kept block as others see it who copy it: {@code place} is where it lies when that is on disk. */
public record BlockView(long version, long records, Optional<SegmentPart> place) {}
