/** Global barriers, at which the tasks of a barrier stage wait for each other: a state machine and its messages. */
@NullMarked
package dev.hearth.engine.internal.barrier;

import org.jspecify.annotations.NullMarked;
