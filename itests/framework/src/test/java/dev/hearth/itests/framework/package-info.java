/** Our bundles in a real framework, seen from a bundle beside them. */
@NullMarked
package dev.hearth.itests.framework;

import org.jspecify.annotations.NullMarked;
