/** Stores of content in processes that are killed, and on disks that are full. */
@NullMarked
package dev.hearth.itests.store;

import org.jspecify.annotations.NullMarked;
