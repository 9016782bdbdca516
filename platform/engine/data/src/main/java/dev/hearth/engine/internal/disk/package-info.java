/** Files on this process's local directories: written in checked frames, gone with whoever made them. */
@NullMarked
package dev.hearth.engine.internal.disk;

import org.jspecify.annotations.NullMarked;
