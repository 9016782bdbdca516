/** Keeps the running bundles as the directory deploy/ says: what to do is decided apart from doing it. Internal. */
@NullMarked
package dev.hearth.kernel.internal.deploy;

import org.jspecify.annotations.NullMarked;
