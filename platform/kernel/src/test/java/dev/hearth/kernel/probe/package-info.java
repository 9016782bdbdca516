/** Bundle that tests add to an installation. */
@NullMarked
package dev.hearth.kernel.probe;

import org.jspecify.annotations.NullMarked;
