/** Tests of Hearth's bundles in a real OSGi framework, run from a bundle in it. */
@NullMarked
package dev.hearth.itests.framework;

import org.jspecify.annotations.NullMarked;
