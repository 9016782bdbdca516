/** How the tasks of a barrier stage wait for each other. A state machine and its words. */
@NullMarked
package dev.hearth.engine.internal.barrier;

import org.jspecify.annotations.NullMarked;
