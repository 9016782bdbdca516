/** What the bundles that tests drop are made of. */
@NullMarked
package dev.hearth.kernel.dropped;

import org.jspecify.annotations.NullMarked;
