/** Tests of content stores in processes that are killed, and on full disks. */
@NullMarked
package dev.hearth.itests.store;

import org.jspecify.annotations.NullMarked;
