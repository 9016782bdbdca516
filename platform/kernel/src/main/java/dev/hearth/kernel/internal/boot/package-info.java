/** Boots a process from the command line to its running role, and shuts it down. Internal. */
@NullMarked
package dev.hearth.kernel.internal.boot;

import org.jspecify.annotations.NullMarked;
