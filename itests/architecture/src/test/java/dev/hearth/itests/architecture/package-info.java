/** The rules of the whole: directions between modules, the shape of sources, and pages that must not fall behind. */
@NullMarked
package dev.hearth.itests.architecture;

import org.jspecify.annotations.NullMarked;
