/** Global barriers: the tasks of a barrier stage wait for each other. A state machine and its messages. */
@NullMarked
package dev.hearth.engine.internal.barrier;

import org.jspecify.annotations.NullMarked;
