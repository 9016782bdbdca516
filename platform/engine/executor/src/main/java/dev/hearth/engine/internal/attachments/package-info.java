/**
 * Files, archives and jars that an application adds for its tasks: the driver's registry, the cache, and the copies for
 * tasks.
 */
@NullMarked
package dev.hearth.engine.internal.attachments;

import org.jspecify.annotations.NullMarked;
