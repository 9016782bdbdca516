/** Tests of the whole tree: dependencies between modules, the style of sources, and pages that must match the code. */
@NullMarked
package dev.hearth.itests.architecture;

import org.jspecify.annotations.NullMarked;
