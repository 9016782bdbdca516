/**
 * Temporary files on the local directories of this process. They are written in frames with checksums, and removed with
 * the application or process that created them.
 */
@NullMarked
package dev.hearth.engine.internal.disk;

import org.jspecify.annotations.NullMarked;
