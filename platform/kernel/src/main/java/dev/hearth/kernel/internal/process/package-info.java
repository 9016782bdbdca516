/** Child processes, and the orders they are given. Internal. */
@NullMarked
package dev.hearth.kernel.internal.process;

import org.jspecify.annotations.NullMarked;
