/** Which task runs where and when: task sets, pools, locality, speculation, exclusion. A state machine and its words. */
@NullMarked
package dev.hearth.engine.internal.scheduler;

import org.jspecify.annotations.NullMarked;
