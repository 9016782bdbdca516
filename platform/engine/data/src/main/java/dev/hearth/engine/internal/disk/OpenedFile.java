package dev.hearth.engine.internal.disk;

import java.io.OutputStream;
import java.nio.file.Path;

/** File that is being written. Owned by the writing thread. */
record OpenedFile(LocalDirectory directory, Path path, OutputStream out) {}
