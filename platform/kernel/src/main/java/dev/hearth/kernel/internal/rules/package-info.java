/** Rules for submissions that bundles ship as data, read from the files of the installation. */
@NullMarked
package dev.hearth.kernel.internal.rules;

import org.jspecify.annotations.NullMarked;
