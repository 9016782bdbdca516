package dev.hearth.engine.internal.disk;

import java.io.OutputStream;
import java.nio.file.Path;

/** A file that is being written. Owned by its writer's thread. */
record OpenedFile(LocalDirectory directory, Path path, OutputStream out) {}
