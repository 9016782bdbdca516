/**
 * Files that applications read and write, on any store. Finds, splits and reads input files, and commits output so that
 * readers never see partial results. Has the store of local files.
 */
@NullMarked
package dev.hearth.engine.internal.io;

import org.jspecify.annotations.NullMarked;
