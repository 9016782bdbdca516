/** The cluster manager for YARN: its master URLs, its settings with all their names, and what it refuses. */
@NullMarked
package dev.hearth.yarn.internal.manager;

import org.jspecify.annotations.NullMarked;
