/** The entry of every process of the platform. Nothing here is for other bundles. */
@NullMarked
package dev.hearth.kernel;

import org.jspecify.annotations.NullMarked;
