/** The engine for those who put a process together by hand, where there are no components: embedded alone. Not exported. */
@NullMarked
package dev.hearth.engine.wiring;

import org.jspecify.annotations.NullMarked;
