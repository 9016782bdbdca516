/** Child processes and their orders. Internal. */
@NullMarked
package dev.hearth.kernel.internal.process;

import org.jspecify.annotations.NullMarked;
