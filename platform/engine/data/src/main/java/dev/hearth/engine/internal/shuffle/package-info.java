/** What map tasks leave for reading tasks, in the memory of one process. */
@NullMarked
package dev.hearth.engine.internal.shuffle;

import org.jspecify.annotations.NullMarked;
