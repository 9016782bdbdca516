/** Classes of the bundles that tests deploy. */
@NullMarked
package dev.hearth.kernel.dropped;

import org.jspecify.annotations.NullMarked;
