/** Class loaders of applications, and clean-up after them. Internal. */
@NullMarked
package dev.hearth.kernel.internal.application;

import org.jspecify.annotations.NullMarked;
