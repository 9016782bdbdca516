/**
 * Files, archives and jars that an application adds for its tasks. Contains the driver's registry, the cache on each
 * machine, and the lists of files available to tasks.
 */
@NullMarked
package dev.hearth.engine.internal.attachments;

import org.jspecify.annotations.NullMarked;
