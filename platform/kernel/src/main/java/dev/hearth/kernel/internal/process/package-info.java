/** Child processes, and the orders with which they are started. Internal. */
@NullMarked
package dev.hearth.kernel.internal.process;

import org.jspecify.annotations.NullMarked;
