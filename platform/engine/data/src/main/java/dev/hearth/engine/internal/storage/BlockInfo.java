package dev.hearth.engine.internal.storage;

import dev.hearth.spi.shuffle.FileSegment;
import java.util.Optional;

/**
 * Description of a cached block, for executors that copy the block. {@code version} is the version of the block's
 * content. {@code fileSegment} is the block's location if the block is on disk.
 */
public record BlockInfo(long version, long records, Optional<FileSegment> fileSegment) {}
