/**
 * Local files that applications read and write. Finds, splits and reads input files, and commits output so that readers
 * never see partial results.
 */
@NullMarked
package dev.hearth.engine.internal.io;

import org.jspecify.annotations.NullMarked;
