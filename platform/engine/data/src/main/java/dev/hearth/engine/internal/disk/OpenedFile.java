package dev.hearth.engine.internal.disk;

import java.io.OutputStream;
import java.nio.file.Path;

/** File that is open for writing, and the local directory in which it was created. Owned by the writing thread. */
record OpenedFile(LocalDirectory directory, Path path, OutputStream out) {}
