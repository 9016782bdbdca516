/** Class loaders for the code of applications. Internal. */
@NullMarked
package dev.hearth.kernel.internal.application;

import org.jspecify.annotations.NullMarked;
