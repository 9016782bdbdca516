/** Output commits: which attempt at a partition may commit its output. A state machine. */
@NullMarked
package dev.hearth.engine.internal.commit;

import org.jspecify.annotations.NullMarked;
