/** Which attempt at a partition may publish its output. A state machine. */
@NullMarked
package dev.hearth.engine.internal.commit;

import org.jspecify.annotations.NullMarked;
