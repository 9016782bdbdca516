/** What is logged, where to, and in which form. Internal. */
@NullMarked
package dev.hearth.kernel.internal.logging;

import org.jspecify.annotations.NullMarked;
