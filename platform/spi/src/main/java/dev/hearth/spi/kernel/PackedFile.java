package dev.hearth.spi.kernel;

import dev.hearth.spi.stream.ContentId;
import java.nio.file.Path;

/** File of this machine that is sent to others, and the hash of its content. Immutable. */
public record PackedFile(ContentId content, Path file) {}
