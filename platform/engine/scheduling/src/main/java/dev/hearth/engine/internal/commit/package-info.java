/** Output commits: a state machine that decides which attempt at a partition may commit its output. */
@NullMarked
package dev.hearth.engine.internal.commit;

import org.jspecify.annotations.NullMarked;
